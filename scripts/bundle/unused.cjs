// In place of parts of packages that load much and that ents never uses.
module.exports = {};

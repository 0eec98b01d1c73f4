// undici loads http2 for services that use it; ents does not enable it.
module.exports = { constants: {} };

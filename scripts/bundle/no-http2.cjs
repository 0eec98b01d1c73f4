// undici loads http2 for services that are told to speak it, which ents does not.
module.exports = { constants: {} };

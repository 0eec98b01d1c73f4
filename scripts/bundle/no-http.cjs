// undici loads http for the class of its requests, none of which ents hands it, and for one number.
module.exports = { IncomingMessage: class {}, maxHeaderSize: 16 * 1024 };

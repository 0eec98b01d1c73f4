// commander loads child_process for commands that are programs of their own, which ents has none of.
module.exports = {};

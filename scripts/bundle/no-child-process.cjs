// commander loads child_process to run subcommands as separate programs; ents has none.
module.exports = {};

// Preloaded into the loader by a test: notes each host that it connects to or asks a name server for, in the file
// CONNECTIONS.
const { appendFileSync } = require('node:fs');
const dns = require('node:dns');
const { Socket } = require('node:net');

const note = (what) => appendFileSync(process.env.CONNECTIONS, `${what}\n`);
const { connect } = Socket.prototype;
Socket.prototype.connect = function (...args) {
  const [[first]] = Array.isArray(args[0]) ? args : [args];
  note(`${first.host ?? 'localhost'}:${first.port}`);
  return connect.apply(this, args);
};
const { lookup } = dns;
dns.lookup = (host, ...rest) => {
  note(`name ${host}`);
  return lookup(host, ...rest);
};

// Preloaded into Windows' Node under Wine: there, a connection with keep-alive fails with "connect UNKNOWN".
const net = require("node:net");

net.Socket.prototype.setKeepAlive = function setKeepAlive() {
  return this;
};
const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function withoutKeepAlive(...given) {
  // `net.connect` passes its normalized arguments as one array.
  const options = Array.isArray(given[0]) ? given[0][0] : given[0];
  if (typeof options === "object" && options !== null) {
    delete options.keepAlive;
    delete options.keepAliveInitialDelay;
  }
  return Reflect.apply(connect, this, given);
};

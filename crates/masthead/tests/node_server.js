// A server on loopback with one path per behaviour. `unref` lets Node leave when the tests are done.
const http = require("node:http");

let address;
let closed;
const endlessClosed = new Promise((resolve) => (closed = resolve));

const event = (name) => JSON.stringify({ type: "ADDED", object: { metadata: { name } } });

const paths = {
  "/version": (response) => json(response, 200, { gitVersion: "v1.36.3" }),
  "/forbidden": (response) => json(response, 403, { kind: "Status", code: 403, reason: "Forbidden", message: "no" }),
  "/cut": (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write(event("a") + "\n" + event("b") + event("c").slice(0, 10));
    setTimeout(() => response.destroy(), 50);
  },
  "/endless": (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write(event("a"));
    response.on("close", closed);
  },
};

function json(response, code, body) {
  response.writeHead(code, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

exports.startServer = () => {
  address ??= new Promise((resolve) => {
    const server = http.createServer((request, response) => paths[request.url](response));
    server.on("connection", (socket) => socket.unref());
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${server.address().port}`)).unref();
  });
  return address;
};

exports.endlessClosed = () => endlessClosed;

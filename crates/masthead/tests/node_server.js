// A server on loopback with one path per behaviour. `unref` lets Node leave when the tests are done.
const http = require("node:http");

let address;
/** By URL: a promise that resolves when the client of that URL has left. */
const departures = new Map();

function departure(url) {
  if (!departures.has(url)) {
    const entry = {};
    entry.left = new Promise((resolve) => (entry.resolve = resolve));
    departures.set(url, entry);
  }
  return departures.get(url);
}

const event = (name) => JSON.stringify({ type: "ADDED", object: { metadata: { name } } });

const paths = {
  "/version": (response) => json(response, 200, { gitVersion: "v1.36.3" }),
  "/forbidden": (response) => json(response, 403, { kind: "Status", code: 403, reason: "Forbidden", message: "no" }),
  "/headers": (response) => {
    response.setHeader("retry-after", "7");
    response.setHeader("warning", ['299 - "one"', '299 - "two, three"']);
    json(response, 429, {});
  },
  "/echo": async (response, request) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, url, headers } = request;
    json(response, 200, { method, url, headers, body: Buffer.concat(chunks).toString() });
  },
  "/cut": (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write(event("a") + "\n" + event("b") + event("c").slice(0, 10));
    setTimeout(() => response.destroy(), 50);
  },
  "/endless": (response, request) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write(event("a"));
    response.on("close", departure(asked(request)).resolve);
  },
  "/silent": (response, request) => response.on("close", departure(asked(request)).resolve),
};

/** The address without what every request of a browser says. */
const asked = (request) => request.url.replace(/[?&]pretty=false$/, "");

function json(response, code, body) {
  response.writeHead(code, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

exports.startServer = () => {
  address ??= new Promise((resolve) => {
    const answer = (request, response) => paths[request.url.split("?")[0]](response, request);
    const server = http.createServer(answer);
    server.on("connection", (socket) => socket.unref());
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${server.address().port}`)).unref();
  });
  return address;
};

exports.left = (url) => departure(url).left;

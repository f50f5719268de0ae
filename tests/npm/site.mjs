// The files of a folder on a loopback port.

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };

/** Serves `folder`; what ends it is in the answer. Nothing here is hostile, so that paths are taken as they come. */
export async function site(folder) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    try {
      const body = await readFile(join(folder, pathname));
      response.writeHead(200, { 'Content-Type': TYPES[extname(pathname)] ?? 'application/octet-stream' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => server.close() && server.closeAllConnections();
  return { url: `http://127.0.0.1:${server.address().port}`, close };
}

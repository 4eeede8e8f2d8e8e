import { readBundle } from '../bundle.ts';
import type { HostFiles } from './host.ts';

export const files: HostFiles = ({ relativeSite, mount }) => ({
  'handler.mjs': readBundle('handler'),
  'server.mjs': `import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { answer } from "./handler.mjs";

const site = new URL(${JSON.stringify(`${relativeSite}/`)}, import.meta.url);
const missing = () => new Response(null, { status: 404 });
const fetchFile = (path) => readFile(new URL(path, site)).then((bytes) => new Response(bytes), missing);

createServer({ maxHeaderSize: 65536 }, async ({ method, url, headers }, response) => {
  const answered = await answer({ method, url, headers: new Headers(headers) }, fetchFile, Date.now(), ${JSON.stringify(mount)});
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  response.end(Buffer.from(await answered.arrayBuffer()));
}).listen(process.env.PORT ?? 8080, process.env.HOST);
`,
});

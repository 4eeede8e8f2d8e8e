import { fileURLToPath } from 'node:url';
import { answer } from './handler.mjs';
import { fetchFrom } from './site-folder.mjs';

const site = fileURLToPath(new URL("{{siteAddress}}", import.meta.url));
const fetchFile = fetchFrom(site, { now: Date.now, followsLinks: true });
const port = Number(process.env.PORT ?? 8080);
const hostname = process.env.HOST ?? '0.0.0.0';
Bun.serve({ port, hostname, fetch: (request) => answer(request, fetchFile, Date.now(), "{{mount}}") });

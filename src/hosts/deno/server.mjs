import { fileURLToPath } from 'node:url';
import { answer } from './handler.mjs';
import { fetchFrom } from './site-folder.mjs';

const site = fileURLToPath(new URL("{{siteAddress}}", import.meta.url));
const fetchFile = fetchFrom(site, { now: Date.now, followsLinks: true });
const port = Number(Deno.env.get('PORT') ?? 8080);
const hostname = Deno.env.get('HOST') ?? '0.0.0.0';
Deno.serve({ port, hostname }, (request) => answer(request, fetchFile, Date.now(), "{{mount}}"));

import { serve } from "./node-server.mjs";

serve(new URL("{{siteAddress}}", import.meta.url), "{{mount}}");

/** The files of a site that depend on the sites before it, because they show what changed, and the manifest. */
export const showsChanges =
  /^(api\/v1\/(changes|openapi)\.json|files\.json|((changes|today|api\/v1)\/)?index\.html|.*feed\.xml)$/;

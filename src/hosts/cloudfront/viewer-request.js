// Answers the filters of the query form with files of the site. Ignores limit.
const mount = "{{mount}}";
const root = mount + '/api/v1';
const id = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const known = { categories: [], genres: ['category'], events: ['category', 'genre'] };

function handler(event) {
  const request = event.request;
  const [path, base, at] = [request.uri, mount, root].map(decodePath);
  if (path === base && base !== '') return redirect(request.querystring);
  if (path === at || path === at + '/') return send(request, root + '/index.json');
  const match = /^\/(categories|genres|events)(\.json|\/)?$/.exec(path.startsWith(at) ? path.slice(at.length) : '');
  if (match === null) return path.endsWith('/') ? send(request, request.uri + 'index.html') : request;
  const values = read(request.querystring);
  let folder = '';
  for (const name of known[match[1]]) {
    const given = values[name] || [];
    if (given.length > 1) return repeated(name, given);
    if (given.length === 0 || given[0] === '') continue;
    folder += '/' + name + '/' + (id.test(given[0]) ? given[0] : '-');
  }
  return send(request, root + folder + '/' + match[1] + '.json');
}

function decodePath(path) {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    return path;
  }
}

// Returns all decoded values of each parameter. CloudFront passes names and values undecoded.
function read(querystring) {
  const values = Object.create(null);
  for (const written of Object.keys(querystring)) {
    const parameter = querystring[written];
    const name = decode(written);
    for (const entry of parameter.multiValue || [parameter]) {
      values[name] = (values[name] || []).concat(decode(entry.value));
    }
  }
  return values;
}

function decode(text) {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '));
  } catch (error) {
    return '%';
  }
}

function shown(value) {
  return JSON.stringify(value.length > 80 ? value.slice(0, 80) + '…' : value);
}

function send(request, path) {
  request.uri = path;
  request.querystring = {};
  return request;
}

function redirect(querystring) {
  const pairs = Object.keys(querystring).map((name) => {
    const parameter = querystring[name];
    return (parameter.multiValue || [parameter]).map((entry) => name + '=' + entry.value).join('&');
  });
  return {
    statusCode: 308,
    statusDescription: 'Permanent Redirect',
    headers: {
      location: { value: mount + '/' + (pairs.length > 0 ? '?' : '') + pairs.join('&') },
      'cache-control': { value: 'public, max-age=60' },
      'access-control-allow-origin': { value: '*' },
    },
  };
}

function repeated(name, given) {
  const values = given.map(shown).join(', ');
  const problem = {
    type: "{{problemType}}",
    title: "{{problemTitle}}",
    status: 400,
    detail: name + ' is given ' + given.length + ' times: ' + values + '; give it once.',
  };
  return {
    statusCode: 400,
    statusDescription: 'Bad Request',
    headers: {
      'content-type': { value: 'application/problem+json' },
      'cache-control': { value: 'public, max-age=60' },
      'access-control-allow-origin': { value: '*' },
    },
    body: JSON.stringify(problem) + '\n',
  };
}

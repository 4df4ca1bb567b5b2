// Serves the engine of the package chdb over HTTP, as far as the product uses ClickHouse's interface. Its folder is the first
// argument, the data folder the second. Prints the port. Pings are answered at any time, statements run one after another.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

const [folder, data] = process.argv.slice(2);
const { Session } = createRequire(`${folder}/`)('chdb');
const session = new Session(data);

/** Of an answer without rows, chdb writes the totals first, and before them the end of the list of rows. */
function inOrder(answer) {
  const begin = answer.indexOf('{\n\t"meta"');
  if (begin <= 0) return answer;
  return answer.slice(begin).replace('"data":\n\t[\n', () => `"data":\n\t[\n${answer.slice(0, begin)}`);
}

/** Parameters of an address that are not settings of its statement. */
const NOT_SETTINGS = new Set(['query', 'query_id', 'database', 'default_format', 'session_id', 'role']);

/** A question with the settings of its address, without which FINAL would read more than the product asks it to. */
function withSettings(text, parameters) {
  const settings = [...parameters].filter(([name]) => !NOT_SETTINGS.has(name));
  if (!/^\s*SELECT\b/i.test(text) || settings.length === 0) return text;
  return `${text}\nSETTINGS ${settings.map(([name, value]) => `${name} = ${settingOf(value)}`).join(', ')}`;
}

function settingOf(value) {
  return /^\d+$/.test(value) ? value : `'${value.replace(/[\\']/g, '\\$&')}'`;
}

let last = Promise.resolve();

/** Runs a statement on a thread of the engine, after those that came before. */
function run(statement) {
  const result = last.then(async () => inOrder((await session.queryAsync(statement)).text()));
  last = result.catch(() => {});
  return result;
}

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  if (pathname === '/ping') return response.end('Ok.\n');
  const body = [];
  for await (const piece of request) body.push(piece);
  const text = Buffer.concat(body).toString();
  const query = searchParams.get('query');
  try {
    response.end(await run(query ? `${query}\n${text}` : withSettings(text, searchParams)));
  } catch (error) {
    const message = String(error.message ?? error);
    const [, code = '1'] = /Code: (\d+)/.exec(message) ?? [];
    response.writeHead(500, { 'X-ClickHouse-Exception-Code': code }).end(message);
  }
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));

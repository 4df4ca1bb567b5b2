// Serves the engine of the package chdb over HTTP, as far as the product uses ClickHouse's interface. Its folder is the first
// argument, the data folder the second. Prints the port.
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

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  if (pathname === '/ping') return response.end('Ok.\n');
  const body = [];
  for await (const piece of request) body.push(piece);
  const text = Buffer.concat(body).toString();
  const query = searchParams.get('query');
  try {
    response.end(inOrder(session.query(query ? `${query}\n${text}` : text)));
  } catch (error) {
    const message = String(error.message ?? error);
    const [, code = '1'] = /Code: (\d+)/.exec(message) ?? [];
    response.writeHead(500, { 'X-ClickHouse-Exception-Code': code }).end(message);
  }
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));

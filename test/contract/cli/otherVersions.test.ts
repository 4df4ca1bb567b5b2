// stores: none
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { useShell } from '../../support/cli.ts';
import { inRoot } from '../../support/root.ts';

const { version: OURS } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));

/** What another version of the product answers, by method and path. */
type Answers = Record<string, [status: number, body: object]>;

describe('svc and a server of another version', () => {
  const shell = useShell();
  let server: Server;
  let env: Record<string, string>;
  let answers: Answers;
  let asked: string[];

  before(async () => {
    server = createServer((request, response) => {
      const what = `${request.method} ${request.url}`;
      asked.push(what);
      const refusal = { error: { code: 'not_found', message: 'There is no such path.', request_id: 'req_1' } };
      const [status, body] = answers[what] ?? [404, refusal];
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    env = { SVC_URL: `http://127.0.0.1:${port}`, SVC_KEY: 'sk_live_of_a_test' };
  });
  beforeEach(() => {
    asked = [];
  });
  after(() => server.close());

  const offering = (version: string): Answers => ({
    'GET /downloads': [200, { data: [{ name: 'SVC-CLI', version, file: `SVC-CLI-${version}.tgz` }] }],
  });

  it('names both when an older one does not know an operation or a field', async () => {
    const advice = `Your server is 0.0.9, and this svc is ${OURS}: it may not know this yet.`;
    const message = 'managed_by: Unknown field.';
    const fields = [{ path: 'managed_by', message }];
    answers = {
      ...offering('0.0.9'),
      'POST /api/v1/links': [422, { error: { code: 'validation_failed', message, request_id: 'req_2', fields } }],
    };
    const operation = await shell.svc(['links', 'count'], { env });
    expect([operation.code, operation.stderr]).to.deep.equal([
      5,
      `error: not_found: There is no such path.\n${advice}\nrequest req_1\n`,
    ]);
    const field = await shell.svc(['links', 'create', 'https://example.com', '--managed-by', 'x'], { env });
    expect(field.code).to.equal(1);
    expect(field.stderr).to.contain(message).and.contain(advice);
  });

  it('blames no version that is its own', async () => {
    answers = offering(OURS);
    expect((await shell.svc(['links', 'count'], { env })).stderr).to.not.contain('Your server is');
  });

  it('shows the fields that a newer one has added, and calls its operations', async () => {
    const link = { id: 'lnk_1', slug: 'spring', mood: 'hopeful' };
    answers = {
      ...offering('9.0.0'),
      'GET /api/v1/links/lnk_1': [200, link],
      'GET /api/v1/openapi.json': [200, { paths: { '/api/v1/moods': { get: { operationId: 'listMoods' } } } }],
      'GET /api/v1/moods': [200, { data: ['hopeful'] }],
    };
    expect((await shell.svc(['links', 'get', 'lnk_1'], { env })).stdout).to.match(/^mood\thopeful$/m);
    expect((await shell.svc(['links', 'get', 'lnk_1', '--json'], { env })).stdout.trim()).to.equal(
      JSON.stringify(link),
    );
    for (let time = 0; time < 2; time += 1) {
      const { code, stdout, stderr } = await shell.svc(['api', 'listMoods'], { env });
      expect(code, stderr).to.equal(0);
      expect(JSON.parse(stdout)).to.deep.equal({ data: ['hopeful'] });
    }
    // Its document is kept for a day.
    expect(asked.filter((what) => what.endsWith('/openapi.json'))).to.have.length(1);
  });
});

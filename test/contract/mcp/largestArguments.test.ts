// plays, stores: any
import { expectShort, type Send, serverFault, someKinds } from '../../support/expectShort.ts';
import { FILLINGS, largest } from '../../support/largestArguments.ts';
import { post } from '../../support/mcp/client.ts';
import { useSettings, useWorld } from '../../support/world.ts';

/** The largest document of links as code, which is read in a process of its own. */
const DOCUMENT = 256 * 1024;
/** What nothing bounds more closely; see mcp/argumentBounds.ts. */
const TEXT = 16 * 1024;

interface Argument {
  name: string;
  maxLength?: number;
}
interface Listed {
  tools: { name: string; inputSchema: Record<string, unknown> }[];
  resources: { uri: string }[];
  resourceTemplates: { uriTemplate: string }[];
  prompts: { name: string; arguments: Argument[] }[];
}

describe('the largest arguments of assistants that are let through', function () {
  this.timeout(600_000);
  const world = useWorld();
  useSettings({ mcpWritesPerHour: 1_000_000, planSeconds: 1 });

  const send = (method: string, params: object) => post(world.origin, world.secretKey, message(method, params));
  const sent = async (text: string) => {
    const { status, text: body } = await post(world.origin, world.secretKey, text);
    return { status, body };
  };
  const listed = async <Name extends keyof Listed>(method: string, name: Name): Promise<Listed[Name]> =>
    (await send(method, {})).body.result[name];
  const request = (name: string, method: string, params: object): [string, Send] => {
    const text = message(method, params);
    return [name, () => sent(text)];
  };

  it('hold up nobody: tools', async () => {
    const tools = await listed('tools/list', 'tools');
    await expectShort(
      tools.flatMap(({ name, inputSchema }, nth) =>
        someKinds(FILLINGS, nth).map(([kind, filling]) => {
          const args = largest(inputSchema, {}, filling) as Record<string, unknown>;
          if ('document' in args) args.document = filling(DOCUMENT);
          return request(`${name} ${kind}`, 'tools/call', { name, arguments: args });
        }),
      ),
    );
  });

  it('hold up nobody: texts of any kind for the tools that search, plan and ask any operation', async () => {
    await expectShort(
      Object.entries(FILLINGS).flatMap(([kind, filling]) => {
        const call = (name: string, args: object) =>
          request(`${name} ${kind}`, 'tools/call', { name, arguments: args });
        return [
          call('get_docs', { topic: filling(200) }),
          call('get_docs', { topic: filling(900_000) }),
          call('search_api', { query: filling(200) }),
          call('read_api', { operation: 'listLinks', arguments: { search: filling(TEXT), domain: filling(TEXT) } }),
          call('write_api', {
            operation: 'createLink',
            arguments: { destination: filling(TEXT), title: filling(TEXT) },
          }),
        ];
      }),
      faultOf,
    );
  });

  it('hold up nobody: resources, prompts and completions', async () => {
    const [resources, templates, prompts] = [
      await listed('resources/list', 'resources'),
      await listed('resources/templates/list', 'resourceTemplates'),
      await listed('prompts/list', 'prompts'),
    ];
    const uris = templates.map(({ uriTemplate }) => uriTemplate);
    const completed = ['page', 'operation', 'domain', 'slug', 'tag', 'period'];
    const ref = { type: 'ref/resource', uri: 'link://{domain}/{+slug}' };
    await expectShort(
      [
        ...resources.map(({ uri }) => request(uri, 'resources/read', { uri })),
        ...uris.flatMap((template, nth) =>
          someKinds(FILLINGS, nth).map(([kind, filling]) => {
            const uri = template.replace(/\{[^}]*\}/g, () => filling(100_000));
            return request(`${template} ${kind}`, 'resources/read', { uri });
          }),
        ),
        ...prompts.flatMap((prompt, nth) =>
          someKinds(FILLINGS, nth).map(([kind, filling]) => {
            const given = Object.fromEntries((prompt.arguments ?? []).map(({ name }) => [name, filling(100_000)]));
            return request(`${prompt.name} ${kind}`, 'prompts/get', { name: prompt.name, arguments: given });
          }),
        ),
        ...completed.flatMap((name, nth) =>
          someKinds(FILLINGS, nth).flatMap(([kind, filling]) =>
            [300, 400_000].map((length) =>
              request(`${name} ${kind} ${length}`, 'completion/complete', {
                ...{ ref, argument: { name, value: filling(length) } },
                context: { arguments: { domain: filling(length) } },
              }),
            ),
          ),
        ),
      ],
      faultOf,
    );
  });
});

/** Errors of the protocol have a number, and refusals of tools a code and what to do. */
function faultOf(answer: { status: number; body: string }): string | null {
  const fault = serverFault(answer);
  if (fault !== null) return fault;
  const { result, error } = JSON.parse(/^data: (.*)$/m.exec(answer.body)?.[1] ?? answer.body);
  const isSound = error ? error.code !== INTERNAL && error.message !== '' : !result.isError || hasCode(result);
  return isSound ? null : `answers ${answer.body.slice(0, 300)}`;
}

/** JSON-RPC's internal error. */
const INTERNAL = -32603;

function hasCode({
  structuredContent,
  content,
}: {
  structuredContent: Record<string, unknown>;
  content: { text: string }[];
}) {
  const { code } = structuredContent.error as { code: string };
  return /^[a-z_]+$/.test(code) && content[0]?.text.includes('\nWhat to do: ');
}

function message(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

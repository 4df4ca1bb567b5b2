import { setTimeout as delay } from 'node:timers/promises';
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';

// biome-ignore lint/suspicious/noExplicitAny: results of every shape that the protocol has
type Any = any;

/** The smallest PNG, and the header of a WAV without a sound. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const WAV = Buffer.from(
  'RIFF$\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\0\0\0\0',
  'latin1',
).toString('base64');

const text = (words: string) => ({ content: [{ type: 'text', text: words }] });
const picture = { type: 'image', data: PNG, mimeType: 'image/png' };
const embedded = (uri: string, mimeType: string, words: string) => ({
  type: 'resource',
  resource: { uri, mimeType, text: words },
});

const form = (message: string, name: string, type = 'string') =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [name]: { type } }, required: [name] },
  } as Any);
const sample = (words: string, maxTokens: number) => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: words } }], maxTokens },
});
const ROOTS = { method: 'roots/list', params: {} };

const ask = (inputRequests: object, requestState?: string) =>
  inputRequired({ inputRequests, ...(requestState ? { requestState } : {}) } as Any);

/** A state that shows when it was changed: the conformance tests change it. */
const STATE = 'state-signed-by-the-server';
function requireState(ctx: ServerContext, expected: string): void {
  if (ctx.mcpReq.requestState() !== expected) throw new ProtocolError(-32602, 'Invalid requestState');
}

function capabilities(ctx: ServerContext): Any {
  return (ctx.mcpReq.envelope as Any)?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
}

async function progress(ctx: ServerContext): Promise<Any> {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  for (const at of [0, 50, 100]) {
    if (progressToken !== undefined) {
      await ctx.mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress: at, total: 100 },
      } as Any);
    }
    await delay(50);
  }
  return text('Done with progress.');
}

async function logs(ctx: ServerContext): Promise<Any> {
  for (const words of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    await ctx.mcpReq.log('info', words);
    await delay(50);
  }
  return text('Done with logs.');
}

/** What was answered to a question; undefined in the first round. */
const answerOf = (ctx: ServerContext, name: string): Any => ctx.mcpReq.inputResponses?.[name];

/** The tools that the conformance tests ask for. */
const TOOLS: Record<string, (ctx: ServerContext) => Any> = {
  test_simple_text: () => text('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [picture] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }),
  test_multiple_content_types: () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      picture,
      embedded('test://mixed-content-resource', 'application/json', JSON.stringify({ test: 'data', value: 123 })),
    ],
  }),
  test_error_handling: () => ({ isError: true, ...text('This tool intentionally returns an error for testing') }),
  test_tool_with_progress: progress,
  test_tool_with_logging: logs,
  test_logging_tool: logs,
  test_streaming_elicitation: (ctx) =>
    answerOf(ctx, 'name') ? text('Done.') : ask({ name: form('Your name?', 'name') }),
  test_missing_capability(ctx) {
    if (capabilities(ctx).sampling) return text('Sampling is declared.');
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
  },
  test_input_required_result_elicitation(ctx) {
    const name = answerOf(ctx, 'user_name')?.content?.name;
    return typeof name === 'string' ? text(`Hello, ${name}!`) : ask({ user_name: form('What is your name?', 'name') });
  },
  test_input_required_result_sampling(ctx) {
    const given = answerOf(ctx, 'capital_question');
    return given
      ? text(JSON.stringify(given.content))
      : ask({ capital_question: sample('What is the capital of France?', 100) });
  },
  test_input_required_result_list_roots(ctx) {
    const given = answerOf(ctx, 'client_roots');
    return given ? text(JSON.stringify(given.roots)) : ask({ client_roots: ROOTS });
  },
  test_input_required_result_request_state(ctx) {
    if (!answerOf(ctx, 'confirm')) return ask({ confirm: form('Please confirm', 'ok', 'boolean') }, STATE);
    requireState(ctx, STATE);
    return text('state-ok');
  },
  test_input_required_result_multiple_inputs(ctx) {
    if (['user_name', 'greeting', 'client_roots'].every((name) => answerOf(ctx, name))) {
      requireState(ctx, STATE);
      return text('All three came.');
    }
    return ask(
      {
        user_name: form('What is your name?', 'name'),
        greeting: sample('Generate a greeting', 50),
        client_roots: ROOTS,
      },
      STATE,
    );
  },
  test_input_required_result_multi_round(ctx) {
    if (answerOf(ctx, 'step2')) {
      requireState(ctx, `${STATE}-2`);
      return text('Both steps are done.');
    }
    if (!answerOf(ctx, 'step1')) return ask({ step1: form('Step 1: What is your name?', 'name') }, `${STATE}-1`);
    requireState(ctx, `${STATE}-1`);
    return ask({ step2: form('Step 2: What is your favorite color?', 'color') }, `${STATE}-2`);
  },
  test_input_required_result_tampered_state(ctx) {
    if (ctx.mcpReq.requestState() === undefined)
      return ask({ confirm: form('Please confirm', 'ok', 'boolean') }, STATE);
    requireState(ctx, STATE);
    return text('state-ok');
  },
  test_input_required_result_capabilities(ctx) {
    const declared = capabilities(ctx);
    return ask({
      ...(declared.elicitation ? { name: form('What is your name?', 'name') } : {}),
      ...(declared.sampling ? { greeting: sample('Generate a greeting', 50) } : {}),
    });
  },
};

const user = (content: object) => ({ role: 'user', content });

interface FixturePrompt {
  arguments?: { name: string; description: string; required: true }[];
  get(given: Record<string, string>, ctx: ServerContext): Any;
}

const argument = (name: string) => ({ name, description: name, required: true as const });

const PROMPTS: Record<string, FixturePrompt> = {
  test_simple_prompt: {
    get: () => ({ messages: [user({ type: 'text', text: 'This is a simple prompt for testing.' })] }),
  },
  test_prompt_with_arguments: {
    arguments: [argument('arg1'), argument('arg2')],
    get: ({ arg1, arg2 }) => ({
      messages: [user({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` })],
    }),
  },
  test_prompt_with_embedded_resource: {
    arguments: [argument('resourceUri')],
    get: ({ resourceUri = '' }) => ({
      messages: [
        user(embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.')),
        user({ type: 'text', text: 'Please process the embedded resource above.' }),
      ],
    }),
  },
  test_prompt_with_image: {
    get: () => ({ messages: [user(picture), user({ type: 'text', text: 'Please analyze the image above.' })] }),
  },
  test_input_required_result_prompt: {
    get: (_, ctx) =>
      answerOf(ctx, 'user_context')
        ? { messages: [user({ type: 'text', text: 'With the context.' })] }
        : ask({ user_context: form('What context should the prompt use?', 'context') }),
  },
};

function read(uri: string): Any {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id) {
    return {
      uri,
      mimeType: 'application/json',
      text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
    };
  }
  if (uri === 'test://static-text')
    return { uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' };
  if (uri === 'test://static-binary') return { uri, mimeType: 'image/png', blob: PNG };
  if (uri === 'test://watched-resource') return { uri, mimeType: 'text/plain', text: 'Watched.' };
  throw new ResourceNotFoundError(uri);
}

/** A server with what the conformance tests ask for; it stands behind the mount in the place of the product's tools. */
export function fixtureServer(): Server {
  const server = new Server(
    { name: 'fixtures', version: '1.0.0' },
    {
      capabilities: { tools: {}, prompts: {}, resources: { subscribe: true }, completions: {}, logging: {} },
      cacheHints: { 'tools/list': { ttlMs: 60_000, cacheScope: 'public' } },
      inputRequired: { legacyShim: false },
    },
  );
  const inputSchema = { type: 'object' as const, properties: {} };
  server.setRequestHandler('tools/list', () => ({
    tools: Object.keys(TOOLS).map((name) => ({ name, description: name, inputSchema })),
  }));
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const run = TOOLS[params.name];
    if (!run) throw new ProtocolError(-32602, `Unknown tool: ${params.name}`);
    return run(ctx);
  });
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.entries(PROMPTS).map(([name, prompt]) => ({
      name,
      description: name,
      arguments: prompt.arguments ?? [],
    })),
  }));
  server.setRequestHandler('prompts/get', ({ params }, ctx) => {
    const prompt = PROMPTS[params.name];
    if (!prompt) throw new ProtocolError(-32602, `Unknown prompt: ${params.name}`);
    return prompt.get(params.arguments ?? {}, ctx);
  });
  server.setRequestHandler('resources/list', () => ({
    resources: ['test://static-text', 'test://static-binary', 'test://watched-resource'].map((uri) => ({
      uri,
      name: uri,
    })),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }],
  }));
  server.setRequestHandler('resources/read', ({ params }) => ({ contents: [read(params.uri)] }));
  server.setRequestHandler('resources/subscribe' as Any, () => ({}));
  server.setRequestHandler('resources/unsubscribe' as Any, () => ({}));
  server.setRequestHandler('completion/complete', () => ({
    completion: { values: ['paris', 'park', 'party'], total: 3, hasMore: false },
  }));
  return server;
}

/** What a GraphQL call gave; `cookie` is the session cookie that was set, if one was. */
export interface GraphqlReply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of every shape
  data: any;
  errors: { message: string; extensions: { code: string; fields?: unknown } }[] | undefined;
  cookie: string | undefined;
  setCookie: string | null;
  /** Every cookie that was set, to be sent back. */
  cookies: string;
}

/** Asks /graphql, as the holder of `cookie`. */
export async function graphql(
  origin: string,
  query: string,
  variables: Record<string, unknown> = {},
  cookie?: string,
  headers: Record<string, string> = {},
): Promise<GraphqlReply> {
  const response = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(cookie ? { Cookie: cookie } : {}), ...headers },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as Pick<GraphqlReply, 'data' | 'errors'>;
  const setCookie = response.headers.get('set-cookie');
  const cookies = response.headers.getSetCookie().map((set) => set.split(';')[0]);
  return { status: response.status, data, errors, cookie: cookies[0], setCookie, cookies: cookies.join('; ') };
}

const SIGN_IN = 'mutation ($input: SignInInput!) { signIn(input: $input) { id email } }';

/** Signs in and gives the session cookie. Throws when it is refused. */
export async function signIn(origin: string, email: string, password: string): Promise<string> {
  const { cookie, errors } = await graphql(origin, SIGN_IN, { input: { email, password } });
  if (!cookie) throw new Error(`Not signed in: ${errors?.[0]?.message}`);
  return cookie;
}

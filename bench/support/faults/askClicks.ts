/** Asks a ClickHouse for rows, by its address as CLICKS_URL takes it. `{value:String}` in the statement stands for the value. */
// biome-ignore lint/suspicious/noExplicitAny: rows of every shape
export async function askClicks(clicksUrl: string, sql: string, value: string): Promise<any[]> {
  const url = new URL(clicksUrl.replace(/^clickhouse/, 'http'));
  const statement = `${sql.replace('{value:String}', `'${value}'`)} FORMAT JSON`;
  const address = new URL(`/?database=${url.pathname.slice(1)}`, url);
  const response = await fetch(address, { method: 'POST', body: statement });
  const text = await response.text();
  if (!response.ok) throw new Error(`ClickHouse answered ${response.status}: ${text}`);
  return JSON.parse(text).data;
}

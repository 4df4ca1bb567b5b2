// stores: any
import { expect } from 'chai';
import { Svc } from '../../../../sdk/client/index.ts';

const ROWS = 10_001;

/** Answers as the lists of the API: rows with numbers, so many to a page. */
function client(): { svc: Svc; asked: URL[] } {
  const asked: URL[] = [];
  const fetch = async (address: string) => {
    const url = new URL(address);
    asked.push(url);
    const limit = Number(url.searchParams.get('limit') ?? 50);
    const from = Number(url.searchParams.get('cursor') ?? 0);
    const data = Array.from({ length: Math.min(limit, ROWS - from) }, (_, at) => ({ id: `lnk_${from + at}` }));
    return Response.json({ data, next_cursor: from + limit < ROWS ? String(from + limit) : null });
  };
  return { svc: new Svc({ url: 'https://svc.example.com', key: 'sk_live_a', fetch }), asked };
}

describe('lists of the client', () => {
  it('give the rows of all pages, each once, with the same filters', async () => {
    const { svc, asked } = client();
    const ids: string[] = [];
    for await (const link of svc.links.list({ tag: 'q4', limit: 100 })) ids.push(link.id);
    expect(ids).to.deep.equal(Array.from({ length: ROWS }, (_, at) => `lnk_${at}`));
    expect(asked).to.have.length(101);
    expect(new Set(asked.map((url) => url.searchParams.get('tag')))).to.deep.equal(new Set(['q4']));
  });

  it('ask for a page when the one before is used up, and no more when the loop ends', async () => {
    const { svc, asked } = client();
    const list = svc.links.list({ limit: 10 });
    expect(asked).to.have.length(0);
    let seen = 0;
    for await (const _ of list) if (++seen === 11) break;
    expect(asked).to.have.length(2);
  });

  it('are one page when they are awaited, as the API sent it', async () => {
    const { svc, asked } = client();
    const page = await svc.links.list({ limit: 2 });
    expect(JSON.stringify(page)).to.equal('{"data":[{"id":"lnk_0"},{"id":"lnk_1"}],"next_cursor":"2"}');
    const next = await page.nextPage();
    expect(next?.data.map(({ id }) => id)).to.deep.equal(['lnk_2', 'lnk_3']);
    expect(asked).to.have.length(2);
  });

  it('go on from a page, and from a cursor that was kept', async () => {
    const { svc } = client();
    const page = await svc.links.list({ limit: 100, cursor: '9900' });
    const ids: string[] = [];
    for await (const { id } of page) ids.push(id);
    expect(ids).to.have.length(101);
    const last = await page.nextPage();
    expect(await last?.nextPage()).to.equal(null);
  });

  it('come page by page', async () => {
    const { svc } = client();
    const sizes: number[] = [];
    for await (const { data } of svc.links.list({ limit: 100, cursor: '9900' }).pages()) sizes.push(data.length);
    expect(sizes).to.deep.equal([100, 1]);
  });
});

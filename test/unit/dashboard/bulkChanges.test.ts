// stores: none
import { expect } from 'chai';
import { type BulkAction, changesOf, wayBack } from '../../../dashboard/src/links/bulkChanges.ts';

const link = (id: string, tags: string[]) => ({
  id,
  tags,
  shortUrl: `https://go.example.com/${id}`,
  domain: 'go.example.com',
  archivedAt: null,
  expiresAt: '2030-01-01T23:59:59.500Z',
});

const LINKS = [link('a', ['Sale', 'x']), link('b', ['y']), link('c', [])];

describe('A bulk change of links in the dashboard', () => {
  it('adds and removes tags in one call, whatever tags the links have', () => {
    for (const kind of ['addTags', 'removeTags'] as const)
      expect(changesOf(LINKS, { kind, tags: ['sale', 'new'] })).to.deep.equal([
        { change: { [kind]: ['sale', 'new'] }, ids: ['a', 'b', 'c'] },
      ]);
  });

  it('is undone in one call for links that it changed alike, and for these alone', () => {
    const undo = (action: BulkAction) =>
      changesOf(LINKS, wayBack(action, LINKS) as Exclude<BulkAction, { kind: 'delete' }>);
    expect(undo({ kind: 'addTags', tags: ['sale'] })).to.deep.equal([
      { change: { removeTags: ['sale'] }, ids: ['b', 'c'] },
    ]);
    expect(undo({ kind: 'removeTags', tags: ['sale'] })).to.deep.equal([{ change: { addTags: ['sale'] }, ids: ['a'] }]);
    expect(undo({ kind: 'addTags', tags: ['sale', 'y'] })).to.deep.equal([
      { change: { removeTags: ['y'] }, ids: ['a'] },
      { change: { removeTags: ['sale'] }, ids: ['b'] },
      { change: { removeTags: ['sale', 'y'] }, ids: ['c'] },
    ]);
    expect(undo({ kind: 'set', set: { expiresAt: null } })).to.deep.equal([
      { change: { set: { expiresAt: '2030-01-01T23:59:59.500Z' } }, ids: ['a', 'b', 'c'] },
    ]);
  });
});

// stores: none
import { expect } from 'chai';
import { linkStatus, type StatusFacts } from '../../../src/routing/status.ts';
import { NOW } from './stored.ts';

const PLAIN: StatusFacts = {
  flaggedAt: null,
  archivedAt: null,
  startsAt: null,
  expiresAt: null,
  clickLimit: null,
  clicks: 0,
};

const CASES: [string, Partial<StatusFacts>, string][] = [
  ['nothing said', {}, 'active'],
  ['flagged and archived', { flaggedAt: NOW, archivedAt: NOW }, 'flagged'],
  ['archived and expired', { archivedAt: NOW, expiresAt: NOW - 1 }, 'archived'],
  ['starting later', { startsAt: NOW + 1 }, 'scheduled'],
  ['starting later and over its limit', { startsAt: NOW + 1, clickLimit: 1, clicks: 1 }, 'scheduled'],
  ['starting now', { startsAt: NOW }, 'active'],
  ['expiring in a moment', { expiresAt: NOW + 1 }, 'active'],
  ['expiring now', { expiresAt: NOW }, 'expired'],
  ['with one click left', { clickLimit: 3, clicks: 2 }, 'active'],
  ['at its click limit', { clickLimit: 3, clicks: 3 }, 'expired'],
];

describe('the status of a link', () => {
  for (const [what, facts, expected] of CASES) {
    it(`${what}: ${expected}`, () => {
      expect(linkStatus({ ...PLAIN, ...facts }, NOW)).to.equal(expected);
    });
  }

  it('follows from Dates as from milliseconds', () => {
    expect(linkStatus({ ...PLAIN, startsAt: new Date(NOW + 1) }, new Date(NOW))).to.equal('scheduled');
    expect(linkStatus({ ...PLAIN, expiresAt: new Date(NOW) }, NOW)).to.equal('expired');
  });
});

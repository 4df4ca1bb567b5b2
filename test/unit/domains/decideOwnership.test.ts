// stores: none
import { expect } from 'chai';
import {
  type DomainFinding,
  decideOwnership,
  type OtherClaims,
  type Proof,
  type Rival,
} from '../../../src/domains/decideOwnership.ts';
import { isRoutingProof } from '../../../src/domains/verification.ts';
import { loadConfig } from '../../../src/kernel/config.ts';
import { NOTHING_SEEN } from '../../../src/models/Domain.ts';

const ALONE: OtherClaims = { rivals: [], wasOtherTeams: false };
const rival = (more: Partial<Rival>): Rival => ({
  id: 'dom_other',
  kind: 'link',
  holds: null,
  by: more.holds ? 'txt' : null,
  isSameTeam: false,
  ...more,
});
const beside = (...rivals: Partial<Rival>[]): OtherClaims => ({ rivals: rivals.map(rival), wasOtherTeams: false });

const OTHERS_WAIT = beside({});
const WAS_OF_OTHERS = { rivals: [], wasOtherTeams: true };
const OTHERS_HAVE_IT = beside({ holds: 'verified' });
const OTHERS_HAVE_IT_BY = (by: Proof) => beside({ holds: 'verified', by });
const OTHERS_FAIL = beside({ holds: 'failing' });
const TEAM_HAS_IT = beside({ holds: 'verified', isSameTeam: true });
const TEAM_HAS_PAGES = beside({ holds: 'verified', isSameTeam: true, kind: 'web' });
const TEAM_WAITS = beside({ isSameTeam: true });

/** Without a word of it a name that leads here is enough; `strict`: never. */
type Row = [
  kind: 'link' | 'web',
  proof: Proof,
  around: OtherClaims,
  about: string,
  wanted: 'yes' | 'takes' | RegExp,
  strict?: 'strict',
];

/** Of a domain that was not verified yet. */
const TABLE: Row[] = [
  ['link', 'dns', ALONE, 'alone', 'yes'],
  ['link', 'txt', ALONE, 'alone', 'yes'],
  ['link', 'dns', TEAM_WAITS, 'beside another project of the team', 'yes'],
  ['link', 'dns', OTHERS_WAIT, 'beside another team that waits', /only the TXT record/],
  ['link', 'txt', OTHERS_WAIT, 'beside another team that waits', 'yes'],
  ['link', 'dns', WAS_OF_OTHERS, 'after another team', /only the TXT record/],
  ['link', 'txt', WAS_OF_OTHERS, 'after another team', 'yes'],
  ['link', 'txt', OTHERS_HAVE_IT, 'while another team has it', /verified in another project/],
  ['link', 'txt', OTHERS_HAVE_IT_BY('dns'), 'while another team has it by leading here', 'takes'],
  ['link', 'dns', OTHERS_HAVE_IT_BY('dns'), 'while another team has it by leading here', /only the TXT record/],
  ['link', 'txt', OTHERS_HAVE_IT_BY('file'), 'while another team has its pages by a file', 'takes'],
  ['web', 'file', OTHERS_HAVE_IT_BY('file'), 'while another team has it by a file', /only the TXT record/],
  ['web', 'txt', beside({ holds: 'verified', by: 'dns' }), 'while another team leads it here', 'takes'],
  [
    'link',
    'txt',
    beside({ holds: 'verified', by: 'dns', isSameTeam: true }),
    'while another project of the team leads it here',
    /verified in another project/,
  ],
  [
    'link',
    'dns',
    ALONE,
    'alone, where strangers sign up',
    /already points to this service, so only the TXT record/,
    'strict',
  ],
  ['link', 'txt', ALONE, 'alone, where strangers sign up', 'yes', 'strict'],
  ['web', 'file', ALONE, 'alone, where strangers sign up', 'yes', 'strict'],
  ['link', 'txt', TEAM_HAS_IT, 'while another project of the team has it', /verified in another project/],
  ['link', 'txt', TEAM_HAS_PAGES, 'beside pages of the team', 'yes'],
  ['link', 'dns', OTHERS_FAIL, 'while it fails for another team', /only the TXT record/],
  ['link', 'txt', OTHERS_FAIL, 'while it fails for another team', 'takes'],
  ['web', 'file', ALONE, 'alone', 'yes'],
  ['web', 'file', TEAM_HAS_PAGES, 'beside another project of the team', 'yes'],
  ['web', 'file', TEAM_HAS_IT, 'beside links of the team', 'yes'],
  ['web', 'file', OTHERS_WAIT, 'beside another team that waits', 'yes'],
  [
    'web',
    'txt',
    beside({ holds: 'verified', kind: 'web' }),
    'while another team has it',
    /verified in another project/,
  ],
  ['web', 'file', beside({ holds: 'failing', kind: 'web' }), 'while it fails for another team', /only the TXT record/],
  ['web', 'txt', beside({ holds: 'failing', kind: 'web' }), 'while it fails for another team', 'takes'],
];

const finding = (...proofs: Proof[]): DomainFinding => ({
  proofs,
  problem: 'nothing there',
  isOurFault: false,
  seen: NOTHING_SEEN,
});

describe('whose a domain is', () => {
  for (const [kind, proof, around, about, wanted, strict] of TABLE) {
    it(`${kind} by ${proof}, ${about}: ${wanted}`, () => {
      const claim = { kind, hostname: 'go.example.com', verifiedAt: null };
      const verdict = decideOwnership(claim, finding(proof), around, strict === undefined);
      if (wanted instanceof RegExp)
        expect(verdict).to.deep.include({ kind: 'failed' }).and.property('problem').matches(wanted);
      else
        expect(verdict).to.deep.equal({
          kind: 'proven',
          by: proof,
          takenFrom: wanted === 'takes' ? ['dom_other'] : [],
        });
    });
  }

  it('whoever has it keeps it by any proof, whoever else wants it', () => {
    const claim = { kind: 'link' as const, hostname: 'go.example.com', verifiedAt: new Date() };
    const verdict = decideOwnership(claim, finding('dns'), { ...OTHERS_WAIT, wasOtherTeams: true }, false);
    expect(verdict).to.deep.equal({ kind: 'proven', by: 'dns', takenFrom: [] });
  });

  it('leading here is enough, but where anybody may sign up', () => {
    const isEnough = (env: Record<string, string>) => {
      loadConfig(env);
      return isRoutingProof();
    };
    expect(isEnough({})).to.equal(true);
    expect(isEnough({ SIGN_UP: 'open' })).to.equal(false);
    expect(isEnough({ SIGN_UP: 'open', DOMAIN_PROOF: 'any' })).to.equal(true);
    expect(isEnough({ DOMAIN_PROOF: 'txt' })).to.equal(false);
    loadConfig({});
  });

  it('nobody gets it while one of several others still has it', () => {
    const around = beside({ kind: 'web', holds: 'failing' }, { kind: 'web', holds: 'verified' });
    const claim = { kind: 'web' as const, hostname: 'x.example.com', verifiedAt: null };
    expect(decideOwnership(claim, finding('txt'), around, true).kind).to.equal('failed');
  });

  it('no proof is a failure, but for a fault of ours', () => {
    const claim = { kind: 'link' as const, hostname: 'go.example.com', verifiedAt: null };
    expect(decideOwnership(claim, finding(), ALONE, true)).to.deep.equal({ kind: 'failed', problem: 'nothing there' });
    expect(decideOwnership(claim, { ...finding(), isOurFault: true }, ALONE, true).kind).to.equal('undecided');
  });
});

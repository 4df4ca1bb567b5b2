// stores: none
import { expect } from 'chai';
import fc from 'fast-check';
import { fitting } from '../../../dashboard/src/kernel/formValues.ts';
import { localTime } from '../../../dashboard/src/kernel/localTimes.ts';
import {
  newCondition,
  unknownConditions,
  withAlternativesTogether,
} from '../../../dashboard/src/links/builder/conditionRows.ts';
import { CONDITION_KINDS, type Condition } from '../../../dashboard/src/links/builder/conditions.ts';
import { changesOf, type Draft, draftOf, emptyDraft, inputOf } from '../../../dashboard/src/links/builder/draft.ts';
import { type Routing, routingPart } from '../../../dashboard/src/links/builder/routing.ts';
import { newRule } from '../../../dashboard/src/links/builder/routingEdits.ts';
import { ROUTING_SCHEMA } from '../../../schema/links/routingSchema.ts';
import { compileLink } from '../../../src/routing/compiledLink.ts';
import { type JsonSchema, valuesOf } from '../../support/schemaArbitraries.ts';
import { storedLink } from '../routing/stored.ts';

const routings = valuesOf(ROUTING_SCHEMA, true) as fc.Arbitrary<Record<string, never>>;
const TO = 'https://example.com/to';

/** The routing that is sent after a change of the form; undefined where none is sent. */
function sent(routing: unknown, edit: (routing: Routing) => Partial<Routing>) {
  const draft = draftOf({ routing: routing as never });
  return changesOf({ ...draft, routing: { ...draft.routing, ...edit(draft.routing) } }).routing;
}

/** What is sent of a rule for whom `when` says, after its conditions were changed. */
function sentWhen(when: object, edit: (conditions: Condition[]) => Condition[]) {
  const wire = sent({ rules: [{ when, destination: TO }] }, ({ rules: [rule] }) =>
    rule ? { rules: [{ ...rule, when: { ...rule.when, conditions: edit(rule.when.conditions) } }] } : {},
  );
  return (wire as { rules: [{ when: object }] } | undefined)?.rules[0].when;
}

const more = (kind: Condition['kind'], values: string[], isNegated = false): Condition => ({
  ...newCondition(kind),
  values,
  isNegated,
});

describe('the routing of a link in its form', () => {
  it('knows every condition of the API', () => {
    const partOf = (schema: JsonSchema | undefined, name: string) => (schema?.[name] ?? {}) as JsonSchema;
    const rules = partOf(partOf(ROUTING_SCHEMA, 'properties'), 'rules');
    const when = partOf(partOf(partOf(rules, 'items'), 'properties'), 'when');
    const names = Object.keys(partOf(when, 'properties')).filter((name) => name !== 'not');
    expect([...CONDITION_KINDS].sort()).to.deep.equal(names.sort());
  });

  it('shows each box as the server does without it', () => {
    const { forwardQuery, forwardPath, openApp } = routingPart.read(null);
    const { routing } = compileLink({ ...storedLink(), routing: null });
    expect({ forwardQuery, forwardPath }).to.deep.equal({
      forwardQuery: routing.forwardQuery,
      forwardPath: routing.forwardPath,
    });
    expect(openApp).to.equal(false);
  });

  it('sends a box of a new link that is not as without it, and nothing of one that is', () => {
    const draft = emptyDraft('localhost');
    expect(inputOf({ ...draft, destination: TO })).to.deep.equal({ destination: TO, domain: 'localhost' });
    const unticked: Draft = { ...draft, destination: TO, routing: { ...draft.routing, forwardQuery: false } };
    expect(inputOf(unticked).routing).to.deep.equal({ forward_query: false });
    expect(sent({ forward_query: false }, () => ({ forwardQuery: true }))).to.equal(null);
  });

  it('changes in one place what is edited there', () => {
    fc.assert(
      fc.property(routings, (routing) => {
        expect(sent(routing, () => ({ forwardPath: routing.forward_path !== true }))).to.deep.equal(
          orNull(routing.forward_path === true ? without(routing, 'forward_path') : { ...routing, forward_path: true }),
        );
        const fallback = 'https://example.com/fallback';
        const withFallback = { ...routing, ios: { ...(routing.ios as unknown as object), fallback } };
        expect(sent(routing, ({ ios }) => ({ ios: { ...ios, fallback } }))).to.deep.equal(withFallback);
        for (const list of ['rules', 'split'] as const) {
          const wires = (routing[list] ?? []) as object[];
          const edited = sent(routing, (form) => ({
            [list]: form[list].map((entry, at) => (at === 0 ? { ...entry, destination: TO } : entry)),
          }));
          const [first, ...others] = wires;
          if (first) expect(edited?.[list]).to.deep.equal([{ ...first, destination: TO }, ...others]);
        }
      }),
    );
  });

  it('takes rules along as they are, wherever they are moved', () => {
    fc.assert(
      fc.property(routings, (routing) => {
        const rules = (routing.rules ?? []) as unknown[];
        const added = newRule();
        const wire = sent(routing, (form) => ({ rules: [{ ...added, destination: TO }, ...form.rules.toReversed()] }));
        expect((wire as { rules: unknown[] }).rules.slice(1)).to.deep.equal(rules.toReversed());
        expect(new Set([...routingPart.read(routing).rules, added].map(({ id }) => id)).size).to.equal(
          rules.length + 1,
        );
      }),
    );
  });

  it('leaves conditions that were not edited as they were written, in their order', () => {
    const when = {
      later: { a: [1] },
      country: ['DE'],
      not: { later: true, device: ['tv'], language: ['de'] },
      after: '2026-01-01T00:00:00.5+01:00',
      query: [{ name: 'a=b' }, { name: 'v', value: null, later: 1 }],
    };
    const edited = sentWhen(when, (conditions) =>
      conditions.map((one) => ({
        ...one,
        values: one.kind === 'country' || one.kind === 'query' ? [...one.values, 'AT'] : one.values,
      })),
    );
    expect(JSON.stringify(edited)).to.equal(
      JSON.stringify({ ...when, country: ['DE', 'AT'], query: [...when.query, { name: 'AT' }] }),
    );
    const form = draftOf({ routing: { rules: [{ when, destination: TO }] } as never });
    expect(unknownConditions(form.routing.rules[0]?.when as never)).to.deep.equal(['later', 'later']);
    const left = sentWhen(when, () => []);
    expect(left).to.deep.equal({ later: when.later, not: { later: true } });
  });

  it('makes of several conditions of a kind what they mean together', () => {
    const [early, late] = ['2026-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'] as const;
    const cases: [given: object, added: Condition[], expected: object][] = [
      [{ country: ['DE'] }, [more('country', ['AT', 'DE'])], { country: ['DE', 'AT'] }],
      [
        { platform: ['ios'] },
        [more('platform', ['android']), more('country', ['DE'])],
        {
          platform: ['ios', 'android'],
          country: ['DE'],
        },
      ],
      [{ not: { country: ['DE'] } }, [more('country', ['AT'], true)], { not: { country: ['DE', 'AT'] } }],
      [{ country: ['DE'] }, [more('country', ['AT'], true)], { country: ['DE'], not: { country: ['AT'] } }],
      [{ query: [{ name: 'a' }] }, [more('query', ['b=1'])], { query: [{ name: 'a' }, { name: 'b', value: '1' }] }],
      [{ after: early }, [more('after', [late])], { after: late }],
      [{ after: late }, [more('after', [early])], undefined as never],
      [{ before: late }, [more('before', [early])], { before: early }],
      [{ not: { after: late } }, [more('after', [early], true)], { not: { after: early } }],
      [{ not: { before: early } }, [more('before', [late], true)], { not: { before: late } }],
    ];
    for (const [given, added, expected] of cases)
      expect(
        sentWhen(given, (conditions) => [...conditions, ...added]),
        JSON.stringify(given),
      ).to.deep.equal(expected);
  });

  it('sends a condition without values, for the server to refuse: without it the rule would be for more visitors', () => {
    const edited = sentWhen({ platform: ['ios'] }, (one) => [...one, more('country', []), more('after', [''])]);
    expect(edited).to.deep.equal({ platform: ['ios'], country: [], after: '' });
  });

  it('shows alternatives next to each other', () => {
    const rows = [
      more('country', ['DE']),
      more('platform', ['ios']),
      more('country', ['AT']),
      more('country', ['CH'], true),
    ];
    expect(withAlternativesTogether(rows).map(({ values }) => values[0])).to.deep.equal(['DE', 'AT', 'ios', 'CH']);
  });

  it('sends what was typed into a field, and leaves what the API wrote into it', () => {
    const link = {
      destination: TO,
      expiresAt: '2026-12-31T22:59:59.123Z',
      notes: ' as it was ',
      clickLimit: 5,
      data: { a: 1 },
    };
    const draft = draftOf(link);
    expect(changesOf({ ...draft, title: ' new ' })).to.deep.equal({ title: 'new' });
    const typed = { notes: '', clickLimit: '', data: '{"b": 2}', expiresAt: localTime('2026-12-31T22:00:00Z') };
    expect(changesOf({ ...draft, ...typed })).to.deep.equal({
      ...{ notes: null, clickLimit: null, data: { b: 2 } },
      expiresAt: '2026-12-31T22:00:00.000Z',
    });
    expect(changesOf({ ...draft, expiresAt: localTime(draft.expiresAt) })).to.deep.equal({});
    expect(changesOf({ ...draft, password: 'secret' })).to.deep.equal({ password: 'secret' });
    expect(changesOf({ ...draft, removesPassword: true })).to.deep.equal({ password: null });
  });

  it('takes of a draft that another version kept what it can show', () => {
    const initial = emptyDraft('localhost');
    const former = {
      ...{ title: 'kept', expiresAt: '2026-12-31T23:59', tags: ['a'], gone: 1, notes: null, slug: ['no'] },
      routing: { openApp: true, ios: {}, android: {}, rules: [{ id: 'r1', conditions: [] }], split: [] },
      utm: { source: 'kept before' },
    };
    expect(fitting(former, initial)).to.deep.equal({ title: 'kept', expiresAt: '2026-12-31T23:59', tags: ['a'] });
    expect(fitting(JSON.parse(JSON.stringify(initial)), initial)).to.deep.equal(initial);
    for (const broken of [null, 'text', [1], 5]) expect(fitting(broken, initial)).to.deep.equal({});
  });
});

function without(object: object, name: string): object {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
}

/** An object of nothing is null. */
function orNull(object: object): object | null {
  return Object.values(object).some((value) => value !== null) ? object : null;
}

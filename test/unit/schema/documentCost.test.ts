// stores: none
import 'reflect-metadata';
import { expect } from 'chai';
import { type GraphQLSchema, getIntrospectionQuery, parse, validate } from 'graphql';
import { buildGraphqlSchema } from '../../../schema/build.ts';
import { costOf, MAX_TOKENS, refusalOf, WEIGHTS } from '../../../schema/limits.ts';
import { costlyDocuments } from '../../support/costlyDocuments.ts';

/**
 * Reads of a property of a document or of variables while it is checked: a measure of the work that no busy machine
 * changes. The dearest document that is let through takes 100,000 in a few milliseconds; without a bound of its shape 5,000
 * tokens took 1.2 million.
 */
const MOST_LOOKS = 250_000;

describe('what a GraphQL document costs to check', () => {
  let schema: GraphQLSchema;

  before(() => {
    schema = buildGraphqlSchema();
  });

  it('is little, whatever the document', () => {
    for (const { name, query, variables = {} } of costlyDocuments()) {
      if (refusalOf(query, true)) continue;
      const looks = new Looks();
      try {
        const document = looks.at(parse(query, { maxTokens: MAX_TOKENS, noLocation: true }));
        if (validate(schema, document).length === 0) costOf(schema, document, null, looks.at(variables));
      } catch (error) {
        expect(String(error)).to.match(new RegExp(`more that ${MAX_TOKENS} tokens|Variable .* got an invalid value`));
      }
      expect(looks.count, name).to.be.below(MOST_LOOKS + JSON.stringify(variables).length);
    }
  });

  it('is too much where fragments, fields or aliases multiply', () => {
    const refused = costlyDocuments().filter(({ query }) => refusalOf(query, true) !== null);
    const names = refused.map(({ name }) => name);
    for (const name of [
      '200 times one field with fields',
      '60 fragments side by side',
      'fragments that double 40 times',
      'aliases that grow tenfold 5 times',
      'introspection, 4·4·4 aliases',
      'introspection by doubled fragments',
    ]) {
      expect(names).to.include(name);
    }
  });

  it('lets the usual introspection query through for whoever is signed in', () => {
    for (const descriptions of [true, false]) {
      const query = getIntrospectionQuery({ descriptions, specifiedByUrl: true, inputValueDeprecation: true });
      expect(refusalOf(query, true)).to.equal(null);
      expect(refusalOf(query, false)?.extensions.code).to.equal('not_signed_in');
    }
  });

  it('lets introspection ask once, without aliases, and for one list of a type', () => {
    const refusedAs = (query: string) => refusalOf(query, true)?.message ?? '';
    expect(refusedAs('{ __schema { queryType { name } } __type(name: "Link") { name } __typename }')).to.equal('');
    expect(refusedAs('{ a: __schema { queryType { name } } b: __schema { queryType { name } } }')).to.include('once');
    expect(
      refusedAs('{ a: __type(name: "A") { name } ...F } fragment F on Query { b: __type(name: "B") { name } }'),
    ).to.include('once');
    expect(refusedAs('{ __schema { a: types { name } } }')).to.include('aliases');
    expect(refusedAs('{ __schema { ...F } } fragment F on __Schema { a: types { name } }')).to.include('aliases');
    expect(refusedAs('{ __schema { types { fields { type { fields { name } } } } } }')).to.include('another list');
  });

  it('hides no introspection from nobody, wherever it stands', () => {
    for (const query of [
      '{ __schema { queryType { name } } }',
      '{ a: __type(name: "Link") { name } }',
      '{ ... { __schema { queryType { name } } } }',
      '{ ...F } fragment F on Query { __schema { queryType { name } } }',
      '{ me { id } } query other { __schema { queryType { name } } }',
      'mutation { __schema { queryType { name } } }',
    ]) {
      expect(refusalOf(query, false)?.extensions.code, query).to.equal('not_signed_in');
    }
    expect(refusalOf('{ __typename me { __typename } }', false)).to.equal(null);
  });

  describe('to run', () => {
    const links = (limit: string) => `links(projectId: "p"${limit}) { data { id slug } }`;
    const cost = (query: string, variables: Record<string, unknown> = {}) =>
      costOf(schema, parse(query), null, variables);

    it('counts a limit as what it is held to', () => {
      const page = cost(`{ ${links(', limit: 100')} }`);
      expect(cost(`{ ${links(', limit: 1000000')} }`)).to.equal(page);
      expect(cost(`{ ${links(', limit: -100000000')} }`)).to.equal(cost(`{ ${links(', limit: 1')} }`));
      expect(cost(`{ ${links('')} }`)).to.equal(cost(`{ ${links(', limit: 50')} }`));
      const held = cost(`query ($n: Int) { ${links(', limit: $n')} }`, { n: -5 });
      expect(held).to.equal(cost(`{ ${links(', limit: 1')} }`));
      expect(cost(`{ a: ${links(', limit: 100')} x: ${links(', limit: -100000000')} }`)).to.be.above(page);
    });

    it('is not hidden by a field that fails, or by another operation', () => {
      const failing = `query ($id: ID = "x") { bad: link(id: $id) { id } ${links(', limit: 100')} }`;
      expect(() => cost(failing, { id: null }))
        .to.throw()
        .with.nested.property('extensions.code', 'BAD_USER_INPUT');
      const two = parse(`query a { ${links(', limit: 100')} } query b { me { id } }`);
      expect(costOf(schema, two, 'a', {})).to.equal(cost(`{ ${links(', limit: 100')} }`));
      expect(costOf(schema, two, 'b', {})).to.equal(2);
    });

    it('counts objects and lists within each row', () => {
      const page = (fields: string) => cost(`{ deliveries(webhookId: "w", limit: 100) { data { id ${fields} } } }`);
      const bare = page('');
      expect(page('webhook { id url }')).to.equal(bare + 100 * 3);
      expect(page('attempts { at error }')).to.equal(bare + 100 * (1 + 5 * 2));
      const all = 'webhook { id url status } event { id type data link { id slug } } attempts { at error statusCode }';
      expect(page(all)).to.be.below(10_000);
    });

    describe('analytics', () => {
      const CARDS = `link country region city referrer_host platform device browser language tag domain destination rule
        utm_source traffic_class`.split(/\s+/);
      const row = 'key label count unique link { id slug domain shortUrl title }';
      const figures = 'count unique values';
      const cards = (
        groupBys: string[],
        args: string,
      ) => `analyticsBreakdowns(projectId: "p", groupBys: [${groupBys}], ${args}) {
        event groupBy start end timezone granularity total { ${figures} } previous { ${figures} } previousStart previousEnd
        data { ${row} } others { ${figures} } }`;

      it('lets a page with fifteen cards of ten rows and a compared series through', () => {
        const series = `analytics(projectId: "p", groupBy: time, compare: true) { total { ${figures} } data { key ${figures} } }`;
        const page = cost(`{ ${series} ${cards(CARDS, 'limit: 10, compare: true')} }`);
        expect(CARDS.length).to.equal(15);
        expect(page).to.be.below(10_000);
      });

      it('counts the rows of every grouping, and the period before', () => {
        expect(cost(`{ ${cards(CARDS, 'limit: 100')} }`)).to.be.above(10_000);
        const bare = (args: string) => cost(`{ analyticsBreakdowns(projectId: "p", ${args}) { total { count } } }`);
        const one = bare('groupBys: [link], limit: 1');
        expect(bare('groupBys: [link, tag], limit: 3')).to.equal(one + 5 * 2);
        expect(bare('groupBys: [link], limit: 1, compare: true')).to.be.above(1.9 * one);
        const alias = (at: number) => `a${at}: ${cards(['link'], 'limit: 1')}`;
        expect(cost(`{ ${Array.from({ length: 12 }, (_, at) => alias(at)).join(' ')} }`)).to.be.above(10_000);
      });

      it('lets a sheet of a thousand rows through, but not with whole links', () => {
        const sheet = (fields: string) =>
          cost(`{ analytics(projectId: "p", groupBy: link, limit: 1000) { total { ${figures} } data { key count unique ${fields} }
            others { ${figures} } } }`);
        expect(sheet('label')).to.be.below(10_000);
        const fields =
          'id slug domain shortUrl title tags clicks createdAt updatedAt status archived externalId destination';
        expect(sheet(`link { ${fields} ${fields.replace(/\w+/g, 'b$&: $&')} }`)).to.be.above(10_000);
      });
    });

    it('has the weight of a hash for whatever takes the password of a person', () => {
      const fields = Object.values(schema.getMutationType()?.getFields() ?? {});
      const hashing = fields.filter(({ args }) => args.some(({ name }) => /^(p|currentP)assword$/.test(name)));
      expect(hashing.length).to.be.at.least(9);
      for (const { name } of hashing) expect(WEIGHTS[name], name).to.be.at.least(2000);
    });

    it('counts the contents of a project or team as much as other counts of everything', () => {
      for (const name of ['projectContents', 'teamContents']) expect(WEIGHTS[name], name).to.be.at.least(500);
    });

    it('has weights for fields that there are', () => {
      const fields = { ...schema.getQueryType()?.getFields(), ...schema.getMutationType()?.getFields() };
      expect(Object.keys(fields)).to.include.members(Object.keys(WEIGHTS));
    });
  });
});

/** Counts how often properties of values are read; each value is always shown by one and the same object. */
class Looks {
  count = 0;
  readonly #shown = new WeakMap<object, object>();
  readonly #proxies = new WeakSet<object>();

  at<Value extends object>(value: Value): Value {
    if (this.#proxies.has(value)) return value;
    const known = this.#shown.get(value);
    if (known) return known as Value;
    const proxy = new Proxy(value, {
      get: (target, property, receiver) => {
        this.count += 1;
        const inner: unknown = Reflect.get(target, property, Array.isArray(target) ? receiver : target);
        return inner !== null && typeof inner === 'object' ? this.at(inner) : inner;
      },
    });
    this.#shown.set(value, proxy);
    this.#proxies.add(proxy);
    return proxy;
  }
}

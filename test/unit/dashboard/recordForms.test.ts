// stores: none
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { buildSchema, type DocumentNode, type GraphQLInputObjectType } from 'graphql';
import { destinationsForm } from '../../../dashboard/src/domains/destinationsForm.ts';
import { DOMAIN } from '../../../dashboard/src/domains/operations.ts';
import type { Json } from '../../../dashboard/src/kernel/graphql.ts';
import { changesOf, draftOf, inputOf } from '../../../dashboard/src/links/builder/draft.ts';
import { LINK_TO_EDIT } from '../../../dashboard/src/links/builder/operations.ts';
import { draftOfApp, withApp, withoutApp } from '../../../dashboard/src/settings/appForm.ts';
import { PROJECT } from '../../../dashboard/src/settings/operations.ts';
import { projectForm } from '../../../dashboard/src/settings/projectForm.ts';
import { tagForm } from '../../../dashboard/src/settings/tagForm.ts';
import { webhookForm } from '../../../dashboard/src/webhooks/form/webhookForm.ts';
import { WEBHOOK_SUMMARY } from '../../../dashboard/src/webhooks/state/webhookState.ts';
import { ROUTING_SCHEMA } from '../../../schema/links/routingSchema.ts';
import { APPS_SCHEMA } from '../../../schema/projects/appRules.ts';
import { inRoot } from '../../support/root.ts';
import { answersTo, type JsonSchema, valuesOf } from '../../support/schemaArbitraries.ts';

type Values = Record<string, unknown>;
/** Each form has values of its own. */
interface AnyForm {
  draftOf: (record: Values | null) => Values;
  inputOf: (draft: Values) => Values;
  changesOf: (draft: Values) => Values;
}

const schema = buildSchema(readFileSync(inRoot('schema.graphql'), 'utf8'));
const routing = fc.option(valuesOf(ROUTING_SCHEMA, true));
const app = valuesOf(APPS_SCHEMA.items as JsonSchema, true);

/** Each form of a record that is there already, what the page asks of it, and what changes it. */
const FORMS: {
  name: string;
  form: AnyForm;
  records: fc.Arbitrary<Values>;
  input: string;
  /** Fields of the input that are not in the form, with where they are instead. */
  elsewhere: Record<string, string>;
}[] = [
  {
    name: 'a link',
    form: { draftOf, inputOf, changesOf } as unknown as AnyForm,
    records: answersTo(schema, LINK_TO_EDIT as DocumentNode, { routing }),
    input: 'UpdateLinkInput',
    elsewhere: {
      archived: 'The menu of the link archives it.',
      managedBy: 'Links as code set it.',
      password: 'It cannot be read; the form sends it where one is typed or taken away.',
    },
  },
  {
    name: 'a webhook',
    form: webhookForm('prj_1') as unknown as AnyForm,
    records: answersTo(schema, WEBHOOK_SUMMARY as DocumentNode),
    input: 'UpdateWebhookInput',
    elsewhere: { externalId: 'Scripts and links as code set it.', managedBy: 'Links as code set it.' },
  },
  {
    name: 'the destinations of a domain',
    form: destinationsForm as unknown as AnyForm,
    records: answersTo(schema, DOMAIN as DocumentNode),
    input: 'UpdateDomainInput',
    elsewhere: { managedBy: 'Links as code set it.' },
  },
  {
    name: 'a project',
    form: projectForm as unknown as AnyForm,
    records: answersTo(schema, PROJECT as DocumentNode, { apps: fc.constant([]) }),
    input: 'UpdateProjectInput',
    elsewhere: { apps: 'Each app has a form of its own.' },
  },
  {
    name: 'a tag',
    form: tagForm as unknown as AnyForm,
    records: fc.record({ name: fc.string(), color: fc.option(fc.string()) }),
    input: 'UpdateTagInput',
    elsewhere: { managedBy: 'Links as code set it.' },
  },
];

const pick = (record: Values, names: readonly string[]) =>
  Object.fromEntries(names.filter((name) => name in record).map((name) => [name, record[name]]));
/** As a draft comes back from the storage of the browser. */
const kept = <Draft>(draft: Draft): Draft => JSON.parse(JSON.stringify(draft));

describe('forms of records', () => {
  for (const { name, form, records, input, elsewhere } of FORMS) {
    const fields = Object.keys((schema.getType(input) as GraphQLInputObjectType).getFields());
    const own = fields.filter((field) => !(field in elsewhere));

    it(`has every field that changes ${name}, or a reason why not`, () => {
      const draft = form.draftOf(null);
      expect(own.filter((field) => !(field in draft))).to.deep.equal([]);
      expect(Object.keys(elsewhere).filter((field) => !fields.includes(field))).to.deep.equal([]);
    });

    it(`sends ${name} as it was read, and no change of it`, () => {
      fc.assert(
        fc.property(records, (record) => {
          expect(form.inputOf(form.draftOf(record))).to.deep.equal(pick(record, own));
          expect(form.changesOf(form.draftOf(record))).to.deep.equal({});
          expect(form.changesOf(kept(form.draftOf(kept(record))))).to.deep.equal({});
        }),
      );
    });

    it(`sends of ${name} the changed field alone`, () => {
      fc.assert(
        fc.property(records, records, fc.constantFrom(...own), (record, other, field) => {
          const draft = { ...form.draftOf(record), [field]: form.draftOf(other)[field] };
          const changes = form.changesOf(draft);
          expect(Object.keys(changes).filter((changed) => changed !== field)).to.deep.equal([]);
          expect(form.inputOf(draft)).to.deep.equal({ ...pick(record, own), ...changes });
        }),
      );
    });
  }

  it('leaves the other apps of a project as they are', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(app, { minLength: 1, maxLength: 4, selector: (one) => JSON.stringify(one) }),
        (list) => {
          const appsJson = list as Json[];
          for (const [at, one] of appsJson.entries()) {
            const draft = draftOfApp({ appsJson }, at, 'ios');
            expect(withApp({ appsJson }, draft)).to.deep.equal({ apps: appsJson, place: at });
            const changed = { ...(one as object), scheme: 'changed' };
            // What somebody else has added or moved meanwhile stays.
            const now = [{ added: true }, ...appsJson.toReversed()];
            const apps = now.map((each) => (each === one ? changed : each));
            expect(withApp({ appsJson: now }, { ...draft, scheme: 'changed' }).apps).to.deep.equal(apps);
            expect(withoutApp({ appsJson: now }, one)).to.deep.equal(now.filter((each) => each !== one));
          }
        },
      ),
    );
  });

  it('sends what the form of a new app shows', () => {
    const draft = { ...draftOfApp({ appsJson: [] }, null, 'ios'), bundleId: ' com.example.app ', teamId: 'abcde12345' };
    expect(withApp({ appsJson: [] }, draft).apps).to.deep.equal([
      { platform: 'ios', bundle_id: 'com.example.app', team_id: 'ABCDE12345' },
    ]);
  });
});

// stores: any
import { expect } from 'chai';
import { describeApi } from '../../../facade/openapi/document.ts';
import { exampleEvent } from '../../../facade/openapi/examples.ts';
import { compileRoute } from '../../../facade/route.ts';
import { ROUTES } from '../../../facade/routes/index.ts';
import { buildGraphqlSchema } from '../../../schema/build.ts';
import { EVENT_TYPES, type EventType } from '../../../src/events/catalogue.ts';
import { PRESENTERS } from '../../../src/events/presenters.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { sampleData, sampleEvent } from '../../../src/webhooks/samples.ts';
import type { Document } from '../../support/clientDocument.ts';
import { eventMisfits } from '../../support/eventMisfits.ts';

const TYPES = Object.keys(EVENT_TYPES) as EventType[];

/** The table of the contract. */
const CONTRACT = [
  ...['link.created', 'link.updated', 'link.archived', 'link.flagged', 'link.deleted', 'links.imported'],
  ...['link.clicked', 'app.installed', 'app.opened', 'app.event', 'health.failed', 'health.recovered'],
  ...['domain.verified', 'alert.created'],
];

describe('event types', () => {
  let document: Document;
  let misfits: ReturnType<typeof eventMisfits>;

  before(() => {
    const schema = buildGraphqlSchema();
    const routes = ROUTES.map((route) => compileRoute(route, schema));
    document = JSON.parse(JSON.stringify(describeApi(routes, schema)));
    misfits = eventMisfits(document);
  });

  it('are those of the contract, in its order', () => {
    expect(TYPES).to.deep.equal(CONTRACT);
    expect(Object.keys(PRESENTERS)).to.deep.equal(CONTRACT);
    expect(Object.keys(document.webhooks)).to.deep.equal([...CONTRACT, 'batch']);
  });

  for (const type of TYPES) {
    describe(type, () => {
      const envelope = (data: unknown) => ({ ...exampleEvent(type), data });

      it('has a sample that fits its schema, with nothing besides', () => {
        for (const data of [sampleData(type), exampleEvent(type).data]) {
          expect(misfits(envelope(data))).to.deep.equal([]);
          expect(JSON.parse(JSON.stringify(data)), 'undefined is lost on the way').to.deep.equal(data);
        }
        expect(sampleEvent(type)).to.have.all.keys('type', 'data').and.include({ type });
      });

      it('has a schema that asks for every field, at any depth, and knows no others', () => {
        for (const [path, owner] of objectsIn(sampleData(type))) {
          for (const field of Object.keys(owner)) {
            const lacking = without(sampleData(type), [...path, field]);
            expect(misfits(envelope(lacking)), [...path, field].join('.')).to.not.deep.equal([]);
          }
        }
        expect(misfits(envelope({ ...sampleData(type), more: 1 }))).to.not.deep.equal([]);
      });

      it(`is of a project${type === 'alert.created' ? ', or of the whole team' : ''}`, () => {
        const wrong = misfits({ ...exampleEvent(type), project_id: null });
        expect(wrong.length === 0).to.equal(type === 'alert.created');
      });

      it('has a sample of the project of its envelope, with ids that name nothing else', () => {
        const projectId = newId('prj');
        const [first, second] = [sampleData(type, { projectId }), sampleData(type, { projectId })];
        const projects = idsIn(first).filter((id) => id.startsWith('prj_'));
        expect(new Set(projects).size).to.equal(projects.length > 0 ? 1 : 0);
        if (projects.length > 0) expect(projects[0]).to.equal(projectId);
        const links = idsIn(first).filter((id) => id.startsWith('lnk_'));
        expect(new Set(links).size, 'one link in a sample').to.be.at.most(1);
        expect(idsIn(first).filter((id) => id !== projectId && idsIn(second).includes(id))).to.deep.equal([]);
      });
    });
  }

  it('have samples that tell what happened', () => {
    expect(sampleData('link.created').link).to.include({ status: 'active', clicks: 0, last_clicked_at: null });
    expect(sampleData('link.archived').link).to.include({ status: 'archived' });
    const { link: flagged, reason } = sampleData('link.flagged');
    expect(flagged).to.include({ status: 'flagged', flag_reason: reason });
    const { link: updated, changes } = sampleData('link.updated');
    expect(changes).to.have.all.keys('destination', 'title', 'tags');
    for (const [field, { from, to }] of Object.entries(changes)) {
      expect(updated[field as keyof typeof updated]).to.deep.equal(to);
      expect(from).to.not.deep.equal(to);
    }
    const { click, link: clicked } = sampleData('link.clicked');
    expect(click.destination).to.equal(updated.destination);
    expect(clicked.short_url).to.equal(updated.short_url);
    const { created } = sampleData('links.imported').counts as { created: number };
    expect(sampleData('links.imported').link_ids).to.have.length(created);
    const statuses = (type: 'health.failed' | 'health.recovered') =>
      sampleData(type).checks.map(({ status }) => status);
    expect([...statuses('health.failed'), ...statuses('health.recovered')]).to.deep.equal(['fail', 'pass']);
  });
});

/** Objects in the data whose fields the contract names, with where they stand. */
function objectsIn(value: unknown, path: (string | number)[] = []): [(string | number)[], object][] {
  if (value === null || typeof value !== 'object') return [];
  const isFree = ['data', 'properties', 'details', 'changes', 'counts'].includes(String(path.at(-1)));
  const inner = Object.entries(value).flatMap(([key, field]) => objectsIn(field, [...path, key]));
  return Array.isArray(value) || isFree ? inner : [[path, value], ...inner];
}

function without<Value>(value: Value, path: (string | number)[]): Value {
  const copy = structuredClone(value);
  const owner = path.slice(0, -1).reduce((inner: Document, key) => inner[key], copy);
  delete owner[path.at(-1) as string];
  return copy;
}

function idsIn(value: unknown): string[] {
  return JSON.stringify(value).match(/\b[a-z]{2,4}_[0-9a-z]{26}\b/g) ?? [];
}

// stores: any
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { fullPath } from '../../../../facade/apis.ts';
import { ROUTES } from '../../../../facade/routes/index.ts';
import { IMPORT_FORMATS } from '../../../../schema/enums.ts';
import { init } from '../../../../sdk/app/index.ts';
import { inRoot } from '../../../support/root.ts';

const shape = (path: string) => path.replace(/\{\w+\}|_…/g, '{}').replace(/\?.*/, '');
const operations = new Set(ROUTES.map((route) => `${route.method} ${shape(fullPath(route))}`));

const client = init({ url: 'https://svc.example.com', key: 'pk_live_a', platform: 'ios' });
client.close();

for (const vendor of ['firebase-dynamic-links', 'branch']) {
  describe(`the guide from ${vendor}`, () => {
    const file = inRoot(`docs/moving-from-${vendor}.md`);
    const text = readFileSync(file, 'utf8');

    it('names operations that there are', () => {
      const named = [...text.matchAll(/`([A-Z]+) (\/(?:api\/v1|v1\/sdk)\/[^` ]+)/g)];
      expect(named).to.have.length.above(5);
      for (const [, method, path = ''] of named) expect([...operations]).to.include(`${method} ${shape(path)}`);
      for (const [, format] of text.matchAll(/format=(\w+)/g)) expect(IMPORT_FORMATS).to.include(format);
    });

    it('names calls of the SDK that there are', () => {
      const named = [...text.matchAll(/`?svc\.(\w+)\b(?!\.)/g)].map(([, name]) => name);
      expect(named).to.have.length.above(3);
      expect(Object.keys(client)).to.include.members(named);
    });
  });
}

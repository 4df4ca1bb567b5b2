// stores: any
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { inRoot } from '../../../support/root.ts';

const read = (file: string) => readFileSync(inRoot('sdk/app', file), 'utf8');
const readme = read('README.md');
const section = (title: string) => readme.split(/^##+ /m).find((part) => part.startsWith(title)) ?? '';
const rowsOf = (text: string) => [...text.matchAll(/^\| `(\w+)[`(]/gm)].map(([, name]) => name);

/** Names at the beginning of the lines of an interface. */
function membersOf(name: string): string[] {
  const [, body = ''] = read('types.ts').match(new RegExp(`interface ${name} {\n(.*?)\n}`, 's')) ?? [];
  return [...body.matchAll(/^ {2}(\w+)[?(:]/gm)].map(([, member]) => String(member));
}

// What its programs are worth is tried in package.test.ts.
describe("the app SDK's README", () => {
  it('shows every option and every method', () => {
    const [options, methods] = [membersOf('SvcOptions'), membersOf('SvcClient')];
    expect([options.length, methods.length]).to.deep.equal([16, 9]);
    expect(rowsOf(section('API'))).to.deep.equal([...options, ...methods]);
  });

  it('says of every code of its own what happened', () => {
    const codes = [...read('SvcError.ts').matchAll(/^ {2}\| '(\w+)'/gm)].map(([, code]) => code);
    expect(codes).to.have.length.above(5);
    expect(rowsOf(section('Offline'))).to.deep.equal(codes);
  });

  it('names every detail of an install, and every field of what it gives', () => {
    for (const name of ['OpenDetails', 'OpenResult', 'TrackOptions'])
      for (const member of membersOf(name)) expect(section('API'), `${name} ${member}`).to.contain(member);
    const wire = read('api.ts');
    for (const name of ['Match', 'AppLink', 'MatchFactor']) {
      const [, body = ''] = wire.match(new RegExp(`interface ${name} {\n(.*?)\n}`, 's')) ?? [];
      for (const [, field = ''] of body.matchAll(/^ {2}(\w+):/gm))
        expect(section('API')).to.contain(`\`${field.replace(/_(.)/g, (_, letter) => letter.toUpperCase())}\``);
    }
  });
});

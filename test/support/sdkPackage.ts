import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { extract } from 'tar';
import { ROOT } from './root.ts';

const node = (file: string, options: string[], cwd = ROOT) =>
  promisify(execFile)(process.execPath, [path.resolve(ROOT, file), ...options], { cwd });

/** What customers' compilers are set to; without types of any host, looking into our declarations. */
const BARE = { strict: true, skipLibCheck: false, noEmit: false, types: [], lib: ['es2022', 'dom'] };

/** How a project finds packages and what it is compiled to, by the name of its program. */
const PROJECTS = {
  'program.mts': { module: 'nodenext' },
  'program.cts': { module: 'node16' },
  'node16.ts': { module: 'node16', moduleResolution: 'node16' },
  'bundler.ts': { module: 'esnext', moduleResolution: 'bundler', noEmit: true },
  // Old defaults, which compilers before TypeScript 6 still have.
  'node10.ts': { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' },
};

/** A package of sdk/ in an empty project, unpacked from what an installation serves. */
export class SdkPackage {
  readonly home: string;
  readonly installed: string;

  private constructor(home: string, name: string) {
    this.home = home;
    this.installed = path.join(home, 'node_modules', name);
  }

  static async install(folder: string): Promise<SdkPackage> {
    await node('scripts/buildSdks.mjs', []);
    const { name, version } = JSON.parse(await readFile(path.join(ROOT, 'sdk', folder, 'package.json'), 'utf8'));
    const made = new SdkPackage(await mkdtemp(path.join(tmpdir(), `${folder}-`)), name);
    await mkdir(made.installed, { recursive: true });
    await extract({ file: path.join(ROOT, `dist/downloads/${name}-${version}.tgz`), cwd: made.installed, strip: 1 });
    return made;
  }

  /** Compiles a program as each kind of project would, runs what came of it, and gives what each printed. */
  async compileAndRun(program: string): Promise<Record<string, string>> {
    const printed: Record<string, string> = {};
    for (const [file, options] of Object.entries(PROJECTS)) {
      await writeFile(path.join(this.home, file), program);
      await this.tsc({ compilerOptions: { ...BARE, ...options }, files: [file] });
      if ('noEmit' in options) continue;
      const compiled = path.join(this.home, file.replace(/ts$/, 'js'));
      printed[file] = (await node(compiled, [])).stdout;
    }
    return printed;
  }

  async tsc(config: object): Promise<void> {
    const file = path.join(this.home, 'tsconfig.json');
    await writeFile(file, JSON.stringify(config));
    await node('node_modules/typescript/bin/tsc', ['-p', file]).catch(({ stdout }) => {
      throw new Error(stdout);
    });
  }

  remove(): Promise<void> {
    return rm(this.home, { recursive: true, force: true });
  }
}

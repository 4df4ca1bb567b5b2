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

/** Takes a tenth of the time of the earlier ones. */
const TYPESCRIPT_7 = 'node_modules/typescript-native/bin/tsc';
const TYPESCRIPT_6 = 'node_modules/typescript/bin/tsc';

interface Project {
  /** Else the latest one. */
  compiler?: string;
  options: Record<string, unknown>;
}

/** How a project finds packages and what it is compiled to, by the name of its program. */
const PROJECTS: Record<string, Project> = {
  'program.mts': { options: { module: 'nodenext' } },
  'program.cts': { options: { module: 'node16' } },
  'node16.ts': { options: { module: 'node16', moduleResolution: 'node16' } },
  'bundler.ts': { options: { module: 'esnext', moduleResolution: 'bundler', noEmit: true } },
  // Old defaults, which TypeScript 7 no longer has.
  'node10.ts': {
    compiler: TYPESCRIPT_6,
    options: { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' },
  },
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
    await node('scripts/build.mjs', [`sdk-${folder}`]);
    const { name, version } = JSON.parse(await readFile(path.join(ROOT, 'sdk', folder, 'package.json'), 'utf8'));
    const made = new SdkPackage(await mkdtemp(path.join(tmpdir(), `${folder}-`)), name);
    await mkdir(made.installed, { recursive: true });
    await extract({ file: path.join(ROOT, `dist/downloads/${name}-${version}.tgz`), cwd: made.installed, strip: 1 });
    return made;
  }

  /** Compiles a program as each kind of project would, runs what came of it, and gives what each printed. */
  async compileAndRun(program: string): Promise<Record<string, string>> {
    const printed: Record<string, string> = {};
    for (const [file, { options, compiler }] of Object.entries(PROJECTS)) {
      await writeFile(path.join(this.home, file), program);
      await this.tsc({ compilerOptions: { ...BARE, ...options }, files: [file] }, compiler);
      if ('noEmit' in options) continue;
      const compiled = path.join(this.home, file.replace(/ts$/, 'js'));
      printed[file] = (await node(compiled, [])).stdout;
    }
    return printed;
  }

  async tsc(config: object, compiler = TYPESCRIPT_7): Promise<void> {
    const file = path.join(this.home, 'tsconfig.json');
    await writeFile(file, JSON.stringify(config));
    await node(compiler, ['-p', file]).catch(({ stdout }) => {
      throw new Error(stdout);
    });
  }

  remove(): Promise<void> {
    return rm(this.home, { recursive: true, force: true });
  }
}

import { homedir } from 'node:os';
import path from 'node:path';
import { placeDataDir, readEnvFile } from '../src/kernel/config.ts';
import { VERSION } from '../src/kernel/version.ts';

const usage = () => `svc-server ${VERSION}: link management that you run yourself

  svc-server                  starts the product at http://localhost:3000
  svc-server admin            lists the commands for operators
  svc-server admin NAME …     runs one of them
  svc-server --version        prints the version
  svc-server --help           prints this

Settings are environment variables, or lines of a file .env in the current folder. DATA_DIR is where data is kept;
unset, that is ${dataFolder()}.
`;

/**
 * The program of a release, `svc-server`. Unlike the product in a checkout, it keeps data in a folder of the user by default: it is
 * started from anywhere, and must find the same data each time.
 */
export async function serverProgram([command, ...words]: string[]): Promise<void> {
  if (command === '--help' || command === '-h') process.stdout.write(usage());
  else if (command === '--version' || command === '-v') process.stdout.write(`${VERSION}\n`);
  else if (command === undefined) await start();
  else if (command === 'admin') await admin(words);
  else {
    process.stderr.write(`svc-server does not know ${JSON.stringify(command)}.\n\n${usage()}`);
    process.exitCode = 2;
  }
}

async function start(): Promise<void> {
  const folder = chooseDataDir();
  // Not among the lines of the log, which programs read.
  process.stderr.write(
    `svc ${VERSION} on Node ${process.versions.node}. Data is in ${folder}; DATA_DIR sets another folder.\n`,
  );
  const { runProduct } = await import('./runProduct.ts');
  await runProduct();
}

async function admin(words: string[]): Promise<void> {
  chooseDataDir();
  const { adminProgram } = await import('./admin/adminProgram.ts');
  await adminProgram(words);
}

function chooseDataDir(): string {
  readEnvFile();
  return path.resolve(placeDataDir(dataFolder));
}

/** Where programs keep data of their user: `$XDG_DATA_HOME/svc`, on Windows `%LOCALAPPDATA%\svc`. */
function dataFolder(): string {
  const { LOCALAPPDATA, XDG_DATA_HOME } = process.env;
  const folder =
    process.platform === 'win32'
      ? LOCALAPPDATA || path.join(homedir(), 'AppData/Local')
      : XDG_DATA_HOME || path.join(homedir(), '.local/share');
  return path.join(folder, 'svc');
}

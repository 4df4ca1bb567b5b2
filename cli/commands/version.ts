import { defineCommand } from '../defineCommand.ts';
import { VERSION } from '../version.ts';

export const command = defineCommand({
  async run({ output }) {
    const version = { svc: VERSION, node: process.versions.node, platform: `${process.platform} ${process.arch}` };
    if (output.isJson) await output.answer({ text: JSON.stringify(version) });
    else output.line(`svc ${version.svc} (node ${version.node}, ${version.platform})`);
  },
});

import { defineCommand } from '../defineCommand.ts';
import { VERSION } from '../operations.ts';

export const command = defineCommand({
  async run({ output }) {
    const version = { svc: VERSION, node: process.versions.node, platform: `${process.platform} ${process.arch}` };
    if (output.isJson) output.json(version);
    else output.line(`svc ${version.svc} (node ${version.node}, ${version.platform})`);
  },
});

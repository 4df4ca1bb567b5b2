export const texts = {
  byCode: (stack: string) => `Managed by code: ${stack}`,
  by: (name: string) => `Managed by ${name}`,
  driftOfCode:
    'It is described in a file. The next plan shows a change made here as drift, and the next apply overwrites it. Change the file instead.',
  drift: 'Another program keeps it in step, and may overwrite a change made here.',
};

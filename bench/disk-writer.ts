import { fdatasyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';

// Uses the disk like a backup or a build. Fills a file of 256 MB, waits until it is on the disk, and
// begins again. Other files' commits then wait for this file's new blocks.
const [file = ''] = process.argv.slice(2);
const block = Buffer.alloc(8 * 1024 * 1024, 1);
const descriptor = openSync(file, 'w');

function fillFile(): void {
  ftruncateSync(descriptor);
  for (let index = 0; index < 32; index += 1) {
    writeSync(descriptor, block, 0, block.length, index * block.length);
  }
  fdatasyncSync(descriptor);
  setImmediate(fillFile);
}

fillFile();
console.log('ready');

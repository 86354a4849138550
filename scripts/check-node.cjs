// Plain JavaScript, because it has to run on a Node.js that is too old for TypeScript.
'use strict';

var minMajor = 24;
var major = Number(process.versions.node.split('.')[0]);
if (major < minMajor) {
  console.error(
    'Rackhand needs Node.js ' +
      minMajor +
      ' or newer, but this is ' +
      process.version +
      ': run "npm rebuild node" ' +
      '(the install script of the dev dependency "node" was blocked), or install it from https://nodejs.org.',
  );
  process.exit(1);
}

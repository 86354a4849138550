// Plain JavaScript on purpose: it runs before every script, also where Node.js is too old for TypeScript.
'use strict';

var wanted = 24;
var major = Number(process.versions.node.split('.')[0]);
if (major < wanted) {
  console.error(
    'Rackhand needs Node.js ' +
      wanted +
      ' or newer and this is ' +
      process.version +
      ': run "npm rebuild node" ' +
      '(the install script of the dev dependency "node" was blocked), or install it from https://nodejs.org.',
  );
  process.exit(1);
}

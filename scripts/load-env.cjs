// Loads the settings of a `.env` file, as `npm run init` writes it. Variables that are set already win.
'use strict';

const { existsSync } = require('node:fs');

if (existsSync('.env')) process.loadEnvFile('.env');

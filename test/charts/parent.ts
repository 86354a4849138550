import { createCharts } from '../../src/charts/charts.ts';
import { watchPainters } from './painters.ts';
import { spec } from './specs.ts';

// A program that draws one picture, tells the process id of what drew it, and then leaves, closes or stays.
watchPainters((painter) => painter.once('message', () => process.stdout.write(`${painter.pid}\n`)));
const charts = createCharts();
await charts.draw(spec());
if (process.argv[2] === 'close') await charts.close();
if (process.argv[2] === 'stay') setInterval(() => undefined, 60_000);

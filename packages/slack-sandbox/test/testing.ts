// Also used by the tests of an app that uses this sandbox.
export { collectEvents } from './collect-events.ts';
export { findSeriousViolations } from './page/fixture/axe-findings.ts';
export { launchChromium, sharedChromium } from './page/fixture/chromium.ts';
export { type PageFixture, setUpPage } from './page/fixture/page-fixture.ts';
export { setUpReusedPage } from './page/fixture/reused-page.ts';

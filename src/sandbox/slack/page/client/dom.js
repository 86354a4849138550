/**
 * Builds an element. In `props`, `on…` adds a listener, a name with a dash and `role` set an attribute, `class` the
 * class, anything else a property; what is `undefined` or `null` is left out. Text children become text nodes, so that
 * no foreign text is ever read as HTML.
 *
 * @param {string} tag
 * @param {Record<string, unknown>} [props]
 * @param {...unknown} children
 * @returns {any}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (name === 'class') element.className = String(value);
    else if (name.includes('-') || name === 'role') element.setAttribute(name, String(value));
    else Reflect.set(element, name, value);
  }
  element.append(...nodes(children));
  return element;
}

/** Makes nodes of strings, nodes and lists of them; leaves out what is not there. */
export function nodes(children) {
  return [children]
    .flat(Number.POSITIVE_INFINITY)
    .filter((child) => child !== undefined && child !== null && child !== false);
}

let lastId = 0;

/** An id that no other element of the page has. */
export function freshId(prefix) {
  lastId += 1;
  return `${prefix}-${lastId}`;
}

// Says of a part of a page that updates by itself when that has failed twice, so that old numbers do not look new (choice C14).

/** Failed updates of a part since the last one that came. */
const failures = new WeakMap();

function fail({ target }) {
  const count = (failures.get(target) ?? 0) + 1;
  failures.set(target, count);
  // The next update that comes hides it again: what comes from the service has it hidden.
  if (count >= 2) target.querySelector?.('.stale')?.removeAttribute('hidden');
}

document.addEventListener('htmx:error', fail);
document.addEventListener('htmx:response:error', fail);
document.addEventListener('htmx:after:request', ({ target, detail }) => {
  if (detail.ctx.response.status < 400) failures.delete(target);
});

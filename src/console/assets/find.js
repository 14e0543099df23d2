// The key / leads to the box that finds, unless somebody is writing.

document.addEventListener('keydown', (event) => {
  const { key, target, altKey, ctrlKey, metaKey } = event;
  if (key !== '/' || altKey || ctrlKey || metaKey) return;
  if (target.isContentEditable || target.matches('input, select, textarea')) return;
  const box = document.getElementById('find');
  if (!box) return;
  event.preventDefault();
  box.focus();
  box.select();
});

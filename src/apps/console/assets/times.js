// What the times on the pages need a script for; without it they are those of the moment in which the page was made.

// A page that does not update by itself shows exact times when it is a minute old, because its ages are wrong then.
setTimeout(() => document.documentElement.classList.add('old'), 60_000);

// The exact time that is shown at the pointer or the focus can be closed.
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  for (const age of document.querySelectorAll('.age:is(:hover, :focus)')) {
    age.dataset.closed = '';
    for (const end of ['pointerleave', 'blur'])
      age.addEventListener(end, () => delete age.dataset.closed, { once: true });
  }
});

// On the page where the time zone is chosen the browser offers its own.
const offer = document.getElementById('browser-zone');
if (offer) {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  offer.querySelector('input[name=zone]').value = timeZone;
  offer.querySelector('button > span').textContent = timeZone;
  offer.hidden = false;
}

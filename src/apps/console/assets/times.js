// Optional behaviour of the times on the pages. Without this script ages stay as they were when the page was made.

// A page that does not update itself shows exact times once it is a minute old, because its ages are then wrong.
setTimeout(() => document.documentElement.classList.add('old'), 60_000);

// On the page for choosing a time zone the browser offers its own.
const offer = document.getElementById('browser-zone');
if (offer) {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  offer.querySelector('input[name=zone]').value = timeZone;
  offer.querySelector('button > span').textContent = timeZone;
  offer.hidden = false;
}

// Adds a copy button to code, folds the contents where they would fill the first screen, and filters the error codes.
// Inserts the reader's key and this service's address into the calls and runs them. The key is not stored.
for (const contents of document.querySelectorAll(".contents"))
  if (matchMedia(contents.matches(".page") ? "(max-width: 75rem)" : "(max-width: 60rem)").matches)
    contents.querySelector("details").open = false;

// Targets of old links to an operation or a schema, from when the reference was one page.
const target = location.hash.slice(1);
if (location.pathname === "/docs" && target !== "" && document.getElementById(target) === null)
  location.replace(`/docs/reference/one-page#${target}`);

const said = document.createElement("p");
said.className = "unseen";
said.setAttribute("role", "status");
document.querySelector("main").append(said);
const icon = document.createElement("template");
icon.innerHTML =
  '<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="M5.5 5.5h7v8h-7zM3.5 10.5v-8h7"/></svg><svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="m3 8.5 3.5 3.5L13 4.5"/></svg>';
if (navigator.clipboard !== undefined)
  for (const block of document.querySelectorAll(".code")) {
    const copy = document.createElement("button");
    copy.type = "button";
    copy.className = "copy";
    copy.title = "Copy";
    copy.setAttribute("aria-label", "Copy the code");
    copy.append(icon.content.cloneNode(true));
    copy.addEventListener("click", async () => {
      said.textContent = "";
      await navigator.clipboard.writeText(block.querySelector("code").textContent);
      said.textContent = "Copied";
      copy.classList.add("done");
      setTimeout(() => copy.classList.remove("done"), 1200);
    });
    block.append(copy);
  }

const filter = document.querySelector("#filter");
if (filter !== null) {
  const field = filter.querySelector("input");
  const entries = [...document.querySelectorAll(".error, main tbody tr")];
  const show = () => {
    const words = field.value.toLowerCase().split(/\s+/);
    const shown = entries.filter((entry) => {
      const text = entry.textContent.toLowerCase();
      entry.hidden = !words.every((word) => text.includes(word));
      return !entry.hidden;
    });
    // The matches are right below the field.
    document.querySelector("main").classList.toggle("filtered", field.value !== "");
    filter.querySelector("p").textContent = field.value === "" ? "" : `${shown.length} of ${entries.length}`;
  };
  filter.hidden = false;
  filter.addEventListener("submit", (event) => event.preventDefault());
  field.addEventListener("input", show);
  // A link to a code shows it, whatever the filter.
  window.addEventListener("hashchange", () => {
    field.value = "";
    show();
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
  });
}

const key = document.querySelector("#key");
const calls = [...document.querySelectorAll(".call")].map((call) => {
  const code = call.querySelector("pre code");
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push({ node: walker.currentNode, text: walker.currentNode.data });
  return { call, code, texts };
});

// The key is between double quotes of the shell.
const quoted = (text) => text.replace(/["$`\\]/g, "\\$&");

function fill() {
  for (const { node, text } of calls.flatMap(({ texts }) => texts)) {
    const withAddress = text.replace("$BASE_URL", location.origin);
    node.data =
      key.value === "" ? withAddress : withAddress.replace("$API_KEY", () => quoted(key.value.trim()));
  }
}

async function run(call, code, answer) {
  answer.hidden = false;
  answer.textContent = "…";
  const body = /-d '([\s\S]*)'$/.exec(code.textContent)?.[1];
  try {
    const response = await fetch(call.dataset.path, {
      method: call.dataset.method,
      headers: {
        authorization: `Bearer ${key.value.trim()}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    answer.textContent = `${response.status}\n${JSON.stringify(JSON.parse(text), undefined, 2).slice(0, 20_000)}`;
  } catch (error) {
    answer.textContent = String(error);
  }
}

if (key !== null) {
  document.querySelector("#key-form").addEventListener("submit", (event) => event.preventDefault());
  key.addEventListener("input", fill);
  fill();
}
for (const { call, code } of calls) {
  const [go, answer] = [".run", ".answer"].map((name) => call.querySelector(name));
  go.hidden = false;
  go.addEventListener("click", () => void run(call, code, answer));
}

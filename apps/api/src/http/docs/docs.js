// Folds the contents on phones, where they would fill the first screen. Puts the reader's key and this service's address
// into the calls, copies them and runs them. The key is kept nowhere.
if (matchMedia("(max-width: 60rem)").matches) document.querySelector(".contents details").open = false;

const key = document.querySelector("#key");
const calls = [...document.querySelectorAll(".call")].map((call) => {
  const code = call.querySelector("pre code");
  return { call, code, text: code.textContent };
});

// The key stands between double quotes of the shell.
const quoted = (text) => text.replace(/["$`\\]/g, "\\$&");

function fill() {
  for (const { code, text } of calls) {
    const withAddress = text.replace("$BASE_URL", location.origin);
    code.textContent =
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
  const [copy, go, answer] = [".copy", ".run", ".answer"].map((name) => call.querySelector(name));
  copy.hidden = navigator.clipboard === undefined;
  go.hidden = false;
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(code.textContent);
    copy.textContent = "Copied";
  });
  go.addEventListener("click", () => void run(call, code, answer));
}

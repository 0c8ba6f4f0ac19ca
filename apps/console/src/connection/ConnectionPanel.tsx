import type { JSX } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { findBlamed } from "../answering/blame.ts";
import { createServiceAnswerer } from "../answering/by-service.ts";
import { HerePanel } from "../here/HerePanel.tsx";
import { words } from "../languages/language.ts";
import { connection, isConnectionOpen, switchAnswerer } from "./connect.ts";
import { acceptOfferedKey, type OfferedKey, offeredKey } from "./offered-key.ts";
import { ProblemNotice } from "./ProblemNotice.tsx";
import "./connection.css";

/** The choice of the answerer: the service, with a key kept in memory only, or the engine in this page over files. */
export function ConnectionPanel({ service }: { readonly service: string | null }): JSX.Element {
  const say = words.value;
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  useEffect(() => {
    const { current } = dialog;
    if (isConnectionOpen.value && current?.open === false) {
      current.showModal();
      // An address that is known needs its key alone.
      const key = current.querySelector<HTMLElement>("[type=password]");
      if (service !== null && offeredKey.peek() === undefined) key?.focus();
    }
    if (!isConnectionOpen.value && current?.open === true) current.close();
  }, [isConnectionOpen.value]);
  const close = (): void => {
    isConnectionOpen.value = false;
    // Closing the panel declines the key.
    offeredKey.value = undefined;
  };
  return (
    <dialog class="connection" ref={dialog} aria-labelledby={title} onClose={close}>
      <div class="connection-head">
        <h2 id={title}>{say.connectTitle}</h2>
        <button type="button" class="quiet" onClick={close}>
          {say.appClose}
        </button>
      </div>
      {offeredKey.value !== undefined && <Offer offered={offeredKey.value} />}
      {connection.value.kind === "failed" && <ProblemNotice problem={connection.value.problem} />}
      <ServiceForm service={service} />
      <HerePanel isShown={isConnectionOpen.value} onReady={(answerer) => void switchAnswerer(answerer)} />
    </dialog>
  );
}

/** Asks the user whether to use a key from a link. */
function Offer({ offered }: { readonly offered: OfferedKey }): JSX.Element {
  const say = words.value;
  const { service, holder } = offered;
  return (
    <section class="connection-offer" role="alert">
      <p class="connection-whose">
        {holder === undefined ? say.connectOffer : say.connectOfferOf(holder.organization)}
      </p>
      <p>{say.connectOfferHelp(new URL(service).host)}</p>
      <p class="connection-choice">
        <button type="button" class="primary" onClick={() => acceptOfferedKey(offered)}>
          {say.connectOfferUse}
        </button>
        <button
          type="button"
          onClick={() => {
            offeredKey.value = undefined;
          }}
        >
          {say.connectOfferDrop}
        </button>
      </p>
    </section>
  );
}

function ServiceForm({ service }: { readonly service: string | null }): JSX.Element {
  const say = words.value;
  const field = useRef<HTMLInputElement>(null);
  const now = connection.value;
  const isRefused = now.kind === "failed" && findBlamed(now.problem) === "key";
  useEffect(() => {
    if (isRefused) field.current?.focus();
  }, [now]);
  const [url, setUrl] = useState(service === null ? "" : new URL(service, document.baseURI).href);
  const [key, setKey] = useState("");
  const submit = (event: Event): void => {
    event.preventDefault();
    void switchAnswerer(createServiceAnswerer(url, key.trim()));
  };
  return (
    <form class="connection-form" onSubmit={submit}>
      <h3>{say.connectService}</h3>
      <p>{say.connectServiceHelp}</p>
      <label>
        {say.connectUrl}
        <input type="url" required value={url} onInput={(event) => setUrl(event.currentTarget.value)} />
      </label>
      <label>
        {say.connectKey}
        <input
          ref={field}
          type="password"
          required
          aria-invalid={isRefused}
          autocomplete="off"
          spellcheck={false}
          value={key}
          onInput={(event) => setKey(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="primary" disabled={connection.value.kind === "connecting"}>
        {connection.value.kind === "connecting" ? say.connectBusy : say.connectGo}
      </button>
    </form>
  );
}

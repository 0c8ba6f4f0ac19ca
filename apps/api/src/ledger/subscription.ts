/** State of a subscription: an organization is charged, and so answered, only while it is active. */
export type SubscriptionStatus = "active" | "suspended" | "expired";

# Varnish in front of the site. It caches pages for five seconds, then serves them stale while it refreshes them; articles
# pass, so that their views are counted (docs/operating/behind-a-cdn.md).
vcl 4.1;

backend default {
  .host = "127.0.0.1";
  .port = "3000";
  .probe = { .url = "/readyz"; .interval = 2s; .timeout = 1s; .threshold = 2; .window = 3; }
}

sub vcl_recv {
  # The site trusts it only from the addresses of TRUST_PROXY. A client's own header is replaced.
  set req.http.X-Forwarded-For = client.ip;
  if (req.method != "GET" && req.method != "HEAD") {
    return (pass);
  }
  # An article: two segments, the first not one of the site's own prefixes.
  if (req.url ~ "^/[^/?]+/[^/?]+(\?|$)" && req.url !~ "^/(topic|tag|events|search|api|assets|media|sitemaps)/") {
    return (pass);
  }
  if (req.url ~ "^/api/") {
    return (pass);
  }
  return (hash);
}

sub vcl_backend_response {
  if (beresp.status == 200 && bereq.url !~ "^/assets/") {
    set beresp.ttl = 5s;
    set beresp.grace = 1h;
    set beresp.keep = 1h;
  }
  if (beresp.status != 200) {
    set beresp.ttl = 0s;
    set beresp.uncacheable = true;
  }
}

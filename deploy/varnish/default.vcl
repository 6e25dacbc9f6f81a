# Varnish before the site: pages for five seconds, and older ones while a new one comes; articles go through, so that their
# views are counted (docs/operating/behind-a-cdn.md).
vcl 4.1;

backend default {
  .host = "127.0.0.1";
  .port = "3000";
  .probe = { .url = "/readyz"; .interval = 2s; .timeout = 1s; .threshold = 2; .window = 3; }
}

sub vcl_recv {
  # The site takes it only from the addresses of TRUST_PROXY. What a reader has sent is dropped.
  set req.http.X-Forwarded-For = client.ip;
  if (req.method != "GET" && req.method != "HEAD") {
    return (pass);
  }
  # An article's document: two segments, the first no word of ours.
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

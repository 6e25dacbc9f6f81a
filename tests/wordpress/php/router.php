<?php
/** Serves a WordPress by PHP's built-in server: files as they are, everything else by WordPress, below PREFIX where it is set. */
$prefix = getenv('WORDPRESS_PREFIX') ?: '';
$path = rawurldecode(parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH) ?: '/');
if ($prefix !== '' && $path !== $prefix && strpos($path, "$prefix/") !== 0) {
    http_response_code(404);
    echo 'no WordPress here';
    return true;
}
$file = $_SERVER['DOCUMENT_ROOT'] . substr($path, strlen($prefix));
if (is_file($file) && substr($file, -4) !== '.php') {
    if ($prefix === '') return false;
    header('Content-Type: ' . mime_content_type($file));
    readfile($file);
    return true;
}
define('ABSPATH', $_SERVER['DOCUMENT_ROOT'] . '/');
$script = is_file($file) ? substr($path, strlen($prefix)) : '/index.php';
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = $prefix . $script;
$_SERVER['SCRIPT_FILENAME'] = $_SERVER['DOCUMENT_ROOT'] . $script;
unset($_SERVER['PATH_INFO']);
require $_SERVER['SCRIPT_FILENAME'];

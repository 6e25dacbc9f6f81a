<?php
/** Configuration of a WordPress under test. What varies is in the environment of its PHP. */
define('DB_NAME', 'wordpress');
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:' . getenv('WORDPRESS_SOCKET'));
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
define('WP_HOME', getenv('WORDPRESS_HOME'));
define('WP_SITEURL', getenv('WORDPRESS_HOME'));
define('WP_CONTENT_DIR', ABSPATH . 'wp-content');
foreach (array('AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE') as $name) {
    define("{$name}_KEY", $name);
    define("{$name}_SALT", $name);
}
define('DISABLE_WP_CRON', true);
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('AUTOMATIC_UPDATER_DISABLED', true);
$table_prefix = 'wp_';
require_once ABSPATH . 'wp-settings.php';
